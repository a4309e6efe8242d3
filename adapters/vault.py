"""The data keys of all owners: those of late in memory, all of them wrapped in a table."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from adapters.sealing import DataKey, MasterKey, master_key


__all__ = ["Pool", "Vault", "master_key"]

Pool = AsyncConnectionPool[AsyncConnection[Any]]


class Vault:
    """The data keys of all owners, those of late in memory."""

    def __init__(self, master: bytes, pool: Pool, capacity: int = 100_000) -> None:
        """Keep at most ``capacity`` opened keys."""
        self.master = MasterKey(master)
        self._pool = pool
        self._capacity = capacity
        self._keys: OrderedDict[UUID, DataKey] = OrderedDict()
        self._pending: dict[UUID, DataKey] = {}

    async def load(self, subjects: Iterable[UUID]) -> dict[UUID, DataKey]:
        """The keys of these owners; those that have none, or no longer, are missing."""
        found, unknown = {}, []
        for subject in set(subjects):
            key = self._keys.get(subject)
            if key is None:
                unknown.append(subject)
            else:
                self._keys.move_to_end(subject)
                found[subject] = key
        if unknown:
            async with self._pool.connection() as db:
                rows = await db.execute(
                    "select subject, wrapped from keys where subject = any(%s)",
                    (unknown,),
                    binary=True,
                )
                for subject, wrapped in await rows.fetchall():
                    found[subject] = self._keep(subject, self.master.unwrap(subject, wrapped))
        return found

    async def to_seal(self, subject: UUID, *, fresh: bool) -> DataKey:
        """The key to seal with; a new one if there is none, which the append must then store.

        ``fresh`` takes for granted that there is none: the append proves it.
        """
        known = self._keys.get(subject) or self._pending.get(subject)
        if known is None and not fresh:
            known = (await self.load([subject])).get(subject)
        # While this waited, another task may have loaded the key or made one.
        known = known or self._keys.get(subject) or self._pending.get(subject)
        if known is None:
            known = self._pending[subject] = self.master.new(subject)
        return known

    async def create(self, subjects: Iterable[UUID]) -> None:
        """Store a new key for each owner that has none."""
        wrapped = [(subject, self.master.new(subject).wrapped) for subject in subjects]
        async with self._pool.connection() as db:
            await db.execute(
                "insert into keys select * from unnest(%s::uuid[], %s::bytea[])"
                " on conflict do nothing",
                [list(column) for column in zip(*wrapped, strict=True)],
            )

    def stored(self, subject: UUID, key: DataKey) -> None:
        """The append stored this key, or found it in place."""
        key.stored = True
        self._pending.pop(subject, None)
        self._keep(subject, key)

    def forget(self, subject: UUID) -> None:
        """Drop what is known about this key: another process made it first, or erased it."""
        self._pending.pop(subject, None)
        self._keys.pop(subject, None)

    def _keep(self, subject: UUID, key: DataKey) -> DataKey:
        self._keys[subject] = key
        self._keys.move_to_end(subject)
        if len(self._keys) > self._capacity:
            self._keys.popitem(last=False)
        return key
