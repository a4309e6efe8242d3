"""Builds the sender of webhooks out of its parts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self
from uuid import UUID

from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from adapters.event_store import PostgresEventStore
from adapters.liveness import alive
from adapters.outgoing.http import GuardedHttp
from adapters.owner_log import PostgresOwnerLog
from aggregates.webhook_endpoint.events import DisabledReason
from commands.bus import Bus
from commands.context import Context
from commands.webhooks.give_up_webhook_endpoint import GiveUpWebhookEndpoint
from kernel.ids import derived_id
from kernel.tenant import Tenant
from subscribers.deliver_webhooks import NAME, STANDARD_POLICY, Policy, Sender
from subscribers.replay_webhooks import Replayer
from subscribers.webhooks.endpoints import Endpoint


FindTenant = Callable[[UUID], Awaitable[Tenant]]
POOL = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """Where deliveries may go, where payment links point to, and how patient the sender is."""

    allow_private: bool
    base_url: str
    policy: Policy = STANDARD_POLICY


@dataclass(frozen=True, slots=True)
class WebhookDelivery:
    """The sender with the connections that are its own, and what brings history back to it."""

    sender: Sender
    replayer: Replayer
    pool: AsyncConnectionPool[AsyncConnection[Any]]
    outgoing: GuardedHttp

    @classmethod
    async def open(
        cls,
        views_url: str,
        bus: Bus,
        store: PostgresEventStore,
        tenant: FindTenant,
        manner: Manner,
    ) -> Self:
        """``views_url`` has the views' schema first on its search path."""
        pool = AsyncConnectionPool(
            views_url,
            connection_class=AsyncConnection[Any],
            kwargs={"autocommit": True, "prepare_threshold": 0},
            min_size=1,
            max_size=POOL,
            configure=_relax,
            check=alive,
            open=False,
        )
        await pool.open()
        outgoing = GuardedHttp(allow_private=manner.allow_private)
        give_up = GivingUp(bus, tenant)
        sender = Sender(pool, store, outgoing, bus.clock, give_up, manner.policy)
        replayer = Replayer(
            views_url, PostgresOwnerLog(store), tenant, manner.base_url, sender.wake
        )
        return cls(sender, replayer, pool, outgoing)

    async def close(self) -> None:
        """Let go of receivers and database; the sender must have returned."""
        await self.outgoing.close()
        await self.pool.close()


async def _relax(db: AsyncConnection[Any]) -> None:
    """What a crash of the server takes from claims and outcomes is only done again."""
    await db.execute("SET synchronous_commit = off")


@dataclass(frozen=True, slots=True)
class GivingUp:
    """Disables an endpoint, and tells the operator."""

    bus: Bus
    tenant: FindTenant

    async def __call__(
        self, endpoint: Endpoint, reason: DisabledReason, seen_since: datetime
    ) -> None:
        """Once for what was seen, however often it is asked."""
        command_id = derived_id(endpoint.id, "give up", reason, seen_since.isoformat())
        context = Context(
            tenant=await self.tenant(endpoint.organization),
            actor=f"worker:{NAME}",
            command_id=command_id,
            persistent=True,
        )
        command = GiveUpWebhookEndpoint(
            endpoint_id=endpoint.id, reason=reason, seen_since=seen_since
        )
        await self.bus.dispatch(command, context)
