"""Publishes the newest body of each resource to compacted topics (design 10).

What changed is noted with the views, and forgotten once it is published: a crash in between
publishes the same body again. A body is read when it is published: several changes may show as one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from kernel.ports.broker import Broker, Message
from projections import changed
from projections.changed import PUBLISHER, RESOURCES, Changed
from projections.reader import splice
from projections.table import Present, Table
from subscribers.leading import Leading, Leases, until
from subscribers.reacting import Tenants
from wire.stream import RESOURCE_PARTITIONS, key_of, partition_of, resource_topic


BATCH: Final = 500
POLL_SECONDS: Final = 0.2
BEARERS: Final = frozenset(
    """payment_link paymentLink download_url downloadUrl license_key licenseKey""".split()
)
"""Whoever holds one of these may act by it: null here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """What the topics are called: ``<prefix>.<environment>.<resource>``."""

    prefix: str
    environment: str

    def topic(self, resource: str) -> str:
        """The topic of a resource."""
        return resource_topic(self.prefix, self.environment, resource)


class ResourcePublisher(Leading):
    """Keeps the topics of resources for as long as this process holds the lease."""

    def __init__(
        self,
        views: AsyncConnectionPool[Any],
        tenants: Tenants,
        broker: Broker,
        leases: Leases,
        *,
        naming: Naming,
        renew_seconds: float = 3.0,
    ) -> None:
        """``views`` are connections with the views' schema first on their search path."""
        super().__init__(PUBLISHER, broker, leases, renew_seconds=renew_seconds)
        self._views = views
        self._tenants = tenants
        self._naming = naming
        self.idle = asyncio.Event()

    async def _lead(self, position: int) -> None:
        del position  # what is to be done is noted row by row
        await self._broker.begin()
        while not self._stopped.is_set():
            self._wake.clear()
            if await self._step():
                self.idle.clear()
                self._failures = 0
            else:
                self.idle.set()
                await until(self._wake, POLL_SECONDS)

    async def _step(self) -> bool:
        """Publish one batch; False when there was nothing."""
        async with self._views.connection() as db:
            if not await changed.is_everything_noted(db):
                await changed.note_everything(db)
            batch = await changed.waiting(db, BATCH)
            if not batch:
                return False
            messages = await self._messages(db, batch)
        await self._broker.publish(messages)
        async with self._views.connection() as db:
            await changed.published(db, batch)
        return True

    async def _messages(self, db: AsyncConnection[Any], batch: Sequence[Changed]) -> list[Message]:
        made: list[Message] = []
        now = datetime.now(UTC)
        for resource, ids in changed.by_resource(batch).items():
            bodies = await self._bodies(db, RESOURCES[resource], ids, now)
            made += self._records(resource, ids, bodies, now)
        return made

    async def _bodies(
        self, db: AsyncConnection[Any], table: Table, ids: Sequence[UUID], now: datetime
    ) -> dict[UUID, tuple[UUID, bytes]]:
        """Organization and body of what is there."""
        found = await db.execute(table.select_by_id(), (list(ids),), binary=True)
        bodies: dict[UUID, tuple[UUID, bytes]] = {}
        for organization, key, *row in await found.fetchall():
            present = Present(now, await self._tenants.get(organization), "")
            bodies[key] = organization, without_bearers(splice(table, row, present))
        return bodies

    def _records(
        self,
        resource: str,
        ids: Sequence[UUID],
        bodies: dict[UUID, tuple[UUID, bytes]],
        now: datetime,
    ) -> Iterator[Message]:
        topic = self._naming.topic(resource)
        for key in ids:
            partition = partition_of(key, RESOURCE_PARTITIONS)
            if key in bodies:
                organization, body = bodies[key]
                told = (("organization", str(organization).encode()),)
                yield Message(topic, partition, key_of(key), body, now, told)
            else:
                yield Message(topic, partition, key_of(key), None, now)


def without_bearers(body: bytes) -> bytes:
    """The body with every signed link and license key null."""
    return msgspec.json.encode(_without_bearers(msgspec.json.decode(body)))


def _without_bearers(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_bearers(each) for each in value]
    if isinstance(value, dict):
        return {
            key: None if key in BEARERS else _without_bearers(each) for key, each in value.items()
        }
    return value
