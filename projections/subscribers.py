"""Who has a plan, from the subscriptions view (wire 6.6)."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from psycopg_pool import AsyncConnectionPool

from aggregates.subscription.events import GIVE_ACCESS, Status
from projections.shown import demand


class PlanSubscribers:
    """The query of those who move all subscribers of a plan."""

    def __init__(self, pool: AsyncConnectionPool[Any]) -> None:
        """Read from the database of the views."""
        self._pool = pool

    async def of_plan(self, plan: UUID, after: UUID | None, limit: int, at: int) -> list[UUID]:
        """Subscriptions of a plan that have not ended, paused ones too, in order of their ids.

        Raises ViewsBehindError unless all facts up to the position ``at`` are in the view.
        """
        sql = (
            "SELECT id FROM subscriptions WHERE plan_uuid = %s AND id > %s AND id = subscription "
            "AND status = ANY(%s::text[]) ORDER BY id LIMIT %s"
        )
        running = sorted(status.value for status in (*GIVE_ACCESS, Status.PAUSED))
        async with self._pool.connection() as db:
            await demand(db, at)
            found = await db.execute(sql, (plan, after or UUID(int=0), running, limit))
            return [row[0] for row in await found.fetchall()]
