"""What is due, from the timers view: by the wall clock, and on test clocks (design 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec
from psycopg_pool import AsyncConnectionPool

from kernel.timer import Timer
from projections.timers import REAL_TIME, timer_of


_decode = msgspec.json.Decoder(dict[str, Any]).decode


@dataclass(frozen=True, slots=True)
class ClockAtWork:
    """A test clock that has something to do: to move to ``target``, or to make up for the past.

    Without a ``target`` it stands at ``frozen_time``, and something was due by then.
    """

    id: UUID
    organization: UUID
    frozen_time: datetime
    target: datetime | None

    @property
    def until(self) -> datetime:
        """What is due by then is to be done."""
        return self.target or self.frozen_time


class DueTimers:
    """The queries of those who make due work happen."""

    def __init__(self, pool: AsyncConnectionPool[Any]) -> None:
        """Read from the database of the views."""
        self._pool = pool

    async def by_wall_clock(self, after: Timer | None, limit: int) -> list[Timer]:
        """The next real-time timers, due or not, in their order, beyond ``after``."""
        sql = f"SELECT id, doc FROM timers WHERE ({REAL_TIME})"
        parameters: list[Any] = []
        if after is not None:
            sql += " AND (due_at, rank, id) > (%s, %s, %s)"
            parameters += after.order
        return await self._timers(f"{sql} ORDER BY due_at, rank, id LIMIT %s", [*parameters, limit])

    async def on_test_clock(self, clock: UUID, until: datetime) -> list[Timer]:
        """All timers of a test clock that are due by an instant, in their order."""
        return await self._timers(
            f"SELECT id, doc FROM timers WHERE NOT ({REAL_TIME}) AND test_clock = %s "
            "AND due_at <= %s ORDER BY due_at, rank, id",
            (clock, until),
        )

    async def clocks_at_work(self) -> list[ClockAtWork]:
        """The test clocks that move, and those on which something is overdue."""
        rows = await self._rows(
            "SELECT id, organization, frozen_time, target_time FROM test_clocks WHERE id IN ("
            "SELECT id FROM test_clocks WHERE target_time IS NOT NULL UNION "
            f"SELECT test_clock FROM timers WHERE overdue AND NOT ({REAL_TIME})) AND NOT deleted",
            (),
        )
        return [
            ClockAtWork(clock, organization, frozen.astimezone(UTC), _utc(target))
            for clock, organization, frozen, target in rows
        ]

    async def _timers(self, sql: str, parameters: Sequence[Any]) -> list[Timer]:
        return [timer_of(key, _decode(doc)) for key, doc in await self._rows(sql, parameters)]

    async def _rows(self, sql: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
        async with self._pool.connection() as db:
            found = await db.execute(sql, parameters)
            rows: list[tuple[Any, ...]] = await found.fetchall()
            return rows


def _utc(at: datetime | None) -> datetime | None:
    return None if at is None else at.astimezone(UTC)
