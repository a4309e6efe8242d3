"""The write path: one fact per command, against the server's own single INSERT of the same row."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID, uuid4

import psycopg
import uvloop

from adapters.event_store import PostgresEventStore
from adapters.migrations import migrate
from app.bench.ground import can_be_slow, pgbench, server
from app.bench.report import Row
from kernel.ports.event_store import Append, NewFact
from kernel.tenant import Environment


WRITERS = 32
TARGET = 1.2
ONE_MILLISECOND = 1_000
MASTER_KEY = bytes(32)
ORGANIZATION = UUID(int=1)

REFERENCE_TABLE = """
create table reference (like events including defaults including indexes);
create sequence reference_position;
"""
REFERENCE_INSERT = """
insert into reference (position, recorded_at, causation, version, index, stream, organization,
 owner, command_id, correlation_id, name, actor, data) values (nextval('reference_position'), now(),
 null, 1, 0, gen_random_uuid(), '00000000-0000-0000-0000-000000000001', gen_random_uuid(),
 gen_random_uuid(), gen_random_uuid(), 'bench.measured.v1', 'operator',
 convert_to('{content}', 'utf8'));
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A fact of about the usual size."""

    subscription: UUID
    plan: str
    amount_units: int
    currency: str
    text: str
    occurred_at: datetime


FACTS = {"bench.measured.v1": Measured}
NOTE = "x" * 280


def measured() -> Measured:
    """One of them."""
    return Measured(
        subscription=ORGANIZATION,
        plan="premium",
        amount_units=999,
        currency="USD",
        text=NOTE,
        occurred_at=datetime(2026, 3, 1, tzinfo=UTC),
    )


def measure(seconds: float) -> Iterator[Row]:
    """On the disk as it is, then on one whose flush takes a millisecond longer."""
    yield _on_a_server("append one fact, 32 writers", seconds, 0)
    if can_be_slow():
        yield _on_a_server("the same, flush + 1 ms", seconds, ONE_MILLISECOND)


def _on_a_server(name: str, seconds: float, flush_microseconds: int) -> Row:
    with server(flush_microseconds) as url:
        migrate(url, Environment.SANDBOX)
        with psycopg.connect(url, autocommit=True) as db:
            db.execute(REFERENCE_TABLE)
        script = REFERENCE_INSERT.format(content="y" * 400).replace("\n", " ") + "\n"
        before = pgbench(url, script, clients=WRITERS, seconds=seconds / 2)
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            rate, latencies = runner.run(_writers(url, WRITERS, seconds))
        after = pgbench(url, script, clients=WRITERS, seconds=seconds / 2)
    latencies.sort()
    return Row(
        name=name,
        unit="facts/s",
        measured=rate,
        reference_name="pgbench, single INSERT of the same row",
        reference=(before + after) / 2,
        target=TARGET,
        more={
            "p50 ms": latencies[len(latencies) // 2] * 1e3,
            "p99 ms": latencies[int(len(latencies) * 0.99)] * 1e3,
        },
    )


async def _writers(url: str, count: int, seconds: float) -> tuple[float, list[float]]:
    store = await PostgresEventStore.open(url, FACTS, {}, MASTER_KEY)
    latencies: list[float] = []
    end = time.perf_counter() + seconds

    async def writer() -> None:
        while (began := time.perf_counter()) < end:
            command = uuid4()
            await store.append(
                Append(
                    organization=ORGANIZATION,
                    command_id=command,
                    correlation_id=command,
                    actor="operator",
                    facts=(NewFact(uuid4(), 0, ORGANIZATION, measured()),),
                )
            )
            latencies.append(time.perf_counter() - began)

    await asyncio.gather(*(writer() for _ in range(count)))
    await store.close()
    return len(latencies) / seconds, latencies
