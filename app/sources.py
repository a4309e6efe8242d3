"""What an engine draws on: connections to the views, the log as a stream, who takes payments."""

from __future__ import annotations

from typing import Any

from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from adapters.event_store import POOL_SECONDS, PostgresEventStore
from adapters.fact_stream import PostgresFactStream
from adapters.liveness import alive
from adapters.payments.none import NoProvider
from adapters.payments.simulated import SimulatedProvider
from kernel.ports.payments import PaymentProvider
from kernel.tenant import Environment
from read_api.feed import Feed, Following
from wire.cloud_event import source_of


READ_POOL = 8


async def read_pool(url: str) -> AsyncConnectionPool[AsyncConnection[Any]]:
    """Connections to the views."""
    pool = AsyncConnectionPool(
        url,
        connection_class=AsyncConnection[Any],
        kwargs={"autocommit": True, "prepare_threshold": 0},
        check=alive,
        min_size=1,
        max_size=READ_POOL,
        timeout=POOL_SECONDS,
        open=False,
    )
    await pool.open(wait=True)
    return pool


async def feed_of(store: PostgresEventStore, environment: Environment) -> Feed:
    """The log for readers elsewhere; what this process appends is passed on at once."""
    stream = PostgresFactStream(store.pool)
    following = Following(stream)
    store.on_append(following.wake)
    return Feed(stream, source_of(environment.value, await stream.log_id()), following)


def provider(
    environment: Environment, pool: AsyncConnectionPool[AsyncConnection[Any]]
) -> PaymentProvider:
    """Who takes the payments of an environment; the simulator never those of production."""
    return SimulatedProvider(pool) if environment is Environment.SANDBOX else NoProvider()
