"""What is due, from the timers view: by the wall clock, and on test clocks (design 6)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from psycopg_pool import AsyncConnectionPool

from kernel.timer import Timer
from projections.shown import demand
from projections.timers import REAL_TIME, timer_of


_decode = msgspec.json.Decoder(dict[str, Any]).decode


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

    async def on_test_clock(self, clock: UUID, until: datetime, at: int) -> list[Timer]:
        """All timers of a test clock that are due by an instant, in their order.

        Raises ViewsBehindError unless all facts up to the position ``at`` are in it.
        """
        return await self._timers(
            f"SELECT id, doc FROM timers WHERE NOT ({REAL_TIME}) AND test_clock = %s "
            "AND due_at <= %s ORDER BY due_at, rank, id",
            (clock, until),
            at,
        )

    async def customers_on(self, clock: UUID, at: int) -> list[UUID]:
        """The customers who live on a test clock as of ``at``. Raises ViewsBehindError."""
        rows = await self._rows("SELECT id FROM customers WHERE test_clock_id = %s", (clock,), at)
        return [row[0] for row in rows]

    async def checkouts_on(self, clock: UUID, at: int) -> list[UUID]:
        """The checkout sessions on a test clock of which something can still come, as of ``at``."""
        over = ["success", "expired"]
        sql = "SELECT id FROM checkouts WHERE test_clock = %s AND status <> ALL (%s)"
        return [row[0] for row in await self._rows(sql, (clock, over), at)]

    async def _timers(self, sql: str, parameters: Sequence[Any], at: int = 0) -> list[Timer]:
        return [timer_of(key, _decode(doc)) for key, doc in await self._rows(sql, parameters, at)]

    async def _rows(self, sql: str, parameters: Sequence[Any], at: int) -> list[tuple[Any, ...]]:
        async with self._pool.connection() as db:
            if at > 0:
                await demand(db, at)
            found = await db.execute(sql, parameters)
            rows: list[tuple[Any, ...]] = await found.fetchall()
            return rows
