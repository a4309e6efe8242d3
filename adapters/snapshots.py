"""Snapshots of readers, beside the log."""

from __future__ import annotations

from typing import Any, Final

from psycopg_pool import AsyncConnectionPool

from kernel.ports.snapshots import Snapshot


_BEFORE: Final = (
    "select position, data from snapshots where name = %s and position < %s"
    " order by position desc limit 1"
)
_SAVE: Final = (
    "insert into snapshots (name, position, data) values (%s, %s, %s) on conflict do nothing"
)
_FORGET: Final = (
    "delete from snapshots where name = %s and position < (select min(k.position) from"
    " (select position from snapshots where name = %s order by position desc limit 2) k)"
)


class PostgresSnapshots:
    """Implements kernel.ports.snapshots.Snapshots."""

    def __init__(self, pool: AsyncConnectionPool[Any]) -> None:
        """``pool`` leads to the log's database."""
        self._pool = pool

    async def before(self, name: str, position: int) -> Snapshot | None:
        """The newest one below a position."""
        async with self._pool.connection() as db:
            found = await db.execute(_BEFORE, (name, position))
            row = await found.fetchone()
        return None if row is None else Snapshot(*row)

    async def save(self, name: str, snapshot: Snapshot) -> None:
        """Keep it and the one before: a reader may come back for facts just behind it."""
        async with self._pool.connection() as db, db.transaction():
            await db.execute(_SAVE, (name, snapshot.position, snapshot.data))
            await db.execute(_FORGET, (name, name))
