"""The log as others read it, from PostgreSQL: one short query a page, nothing held in between."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from psycopg import sql
from psycopg_pool import AsyncConnectionPool

from kernel.ports.fact_stream import Selection, StoredFact, Stretch


SCAN = 10_000
"""So many positions are looked through for one page, however few of them are wanted."""

BYTES = 4 * 1024 * 1024
"""No page holds more, but for its last fact: what a reader is sent waits in memory for it."""

_SIZE = sql.SQL("octet_length(data) + coalesce(octet_length(sealed), 0)")
_QUERY = sql.SQL(
    "select {columns} from (select {columns}, sum({size}) over (order by position) - ({size}) as"
    " before from events where position > %s and position <= %s {conditions}"
    " order by position limit %s) page where before < %s order by position"
)
_COLUMNS = sql.SQL(
    "position, stream, version, organization, owner, name, data, sealed, recorded_at, command_id,"
    " correlation_id, causation, actor, index"
)


class PostgresFactStream:
    """Implements kernel.ports.fact_stream.FactStream."""

    def __init__(self, pool: AsyncConnectionPool[Any]) -> None:
        """Take an open pool of autocommit connections."""
        self._pool = pool

    async def read(self, after: int, limit: int, only: Selection) -> Stretch:
        """The wanted facts beyond ``after``, in order, at most ``limit``."""
        conditions, values = _conditions(only)
        narrow = only.stream is not None or only.owner is not None
        async with self._pool.connection() as db:
            head = await self._head(db)
            until = head if narrow else await self._end(db, after, head)
            query = _QUERY.format(columns=_COLUMNS, size=_SIZE, conditions=conditions)
            found = await db.execute(query, (after, until, *values, limit, BYTES), binary=True)
            facts = [StoredFact(*row) for row in await found.fetchall()]
        if len(facts) == limit or sum(map(_size, facts)) >= BYTES:
            until = facts[-1].position
        return Stretch(facts, max(until, after), until < head)

    async def head(self) -> int:
        """The last position that is committed."""
        async with self._pool.connection() as db:
            return await self._head(db)

    async def log_id(self) -> UUID:
        """Which log this is, for ever."""
        async with self._pool.connection() as db:
            found = await db.execute("select log_id from identity")
            row = await found.fetchone()
        if row is None:
            raise LookupError("the log does not know its id")
        return UUID(str(row[0]))

    @staticmethod
    async def _head(db: Any) -> int:
        found = await db.execute("select coalesce(max(position), 0) from events")
        [(head,)] = await found.fetchall()
        return int(head)

    @staticmethod
    async def _end(db: Any, after: int, head: int) -> int:
        """The position ``SCAN`` facts further, or the head."""
        found = await db.execute(
            "select position from events where position > %s order by position offset %s limit 1",
            (after, SCAN - 1),
        )
        row = await found.fetchone()
        return int(row[0]) if row else head


def _size(fact: StoredFact) -> int:
    return len(fact.data) + len(fact.sealed or b"")


def _conditions(only: Selection) -> tuple[sql.Composable, list[Any]]:
    parts: list[sql.SQL] = []
    values: list[Any] = []
    for column, value in (
        (sql.SQL("and organization = %s"), only.organization),
        (sql.SQL("and stream = %s"), only.stream),
        (sql.SQL("and owner = %s"), only.owner),
    ):
        if value is not None:
            parts.append(column)
            values.append(value)
    if only.names or only.prefixes:
        parts.append(sql.SQL("and (name = any(%s) or name ^@ any(%s))"))
        values += [list(only.names), list(only.prefixes)]
    return sql.SQL(" ").join(parts), values
