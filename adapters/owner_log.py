"""The log by owners, in PostgreSQL."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from adapters.event_store import PostgresEventStore
from kernel.ports.event_store import Recorded
from kernel.ports.owner_log import Range


_INSIDE: Final = "{0}.position between %(first)s and %(last)s and {0}.name = any(%(names)s)"
_BEGIN: Final = " and {0}.recorded_at >= %(begin)s"
_END: Final = " and {0}.recorded_at < %(end)s"

_OWNERS: Final = """
select e.position, e.owner from events e
where e.position > %(after)s and e.position <= %(until)s
    and e.organization = %(organization)s and {} and not exists (
        select from events p where p.owner = e.owner and p.position < e.position and {})
order by e.position limit %(limit)s
"""


class PostgresOwnerLog:
    """Implements kernel.ports.owner_log.OwnerLog."""

    def __init__(self, store: PostgresEventStore) -> None:
        """``store`` has the pool, the codec and the keys."""
        self._store = store

    async def owners(
        self, wanted: Range, after: int, until: int, limit: int
    ) -> list[tuple[int, UUID]]:
        """Whose first fact of the range lies in a stretch of the log, in the order of those."""
        values = {
            "first": wanted.first,
            "last": wanted.last,
            "names": self._store.codec.names(wanted.kinds),
            "begin": wanted.begin,
            "end": wanted.end,
            "organization": wanted.organization,
            "after": after,
            "until": until,
            "limit": limit,
        }
        query = _OWNERS.format(_condition(wanted, "e"), _condition(wanted, "p"))
        async with self._store.pool.connection() as db:
            return await (await db.execute(query, values)).fetchall()

    async def facts(self, owner: UUID, after: int, until: int, limit: int) -> list[Recorded]:
        """What an owner owns in a stretch of the log, in order."""
        return await self._store.owned(owner, after, until, limit)


def _condition(wanted: Range, table: str) -> str:
    begin = _BEGIN if wanted.begin is not None else ""
    end = _END if wanted.end is not None else ""
    return f"{_INSIDE}{begin}{end}".format(table)
