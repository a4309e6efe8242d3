"""Forgets deliveries that nobody can ask for any more: a little at a time, by any sender."""

from __future__ import annotations

from typing import Any, Final

from psycopg import AsyncConnection


CHUNK: Final = 2_000

ATTEMPTS: Final = """
DELETE FROM webhooks.attempts WHERE id IN (
    SELECT id FROM webhooks.attempts WHERE last_attempt < now() - interval '31 days'
    LIMIT %s FOR UPDATE SKIP LOCKED)
"""

HOURS: Final = """
DELETE FROM webhooks.attempt_hours WHERE (organization, hour, endpoint, kind, is_success) IN (
    SELECT organization, hour, endpoint, kind, is_success FROM webhooks.attempt_hours
    WHERE hour < now() - interval '32 days' LIMIT %s FOR UPDATE SKIP LOCKED)
"""

DELETED: Final = """
WITH gone AS (
    DELETE FROM webhooks.deliveries WHERE seq IN (
        SELECT d.seq FROM webhooks.lanes l
        JOIN webhook_endpoints e ON e.id = l.endpoint AND e.deleted
        JOIN webhooks.deliveries d
            ON d.endpoint = l.endpoint AND d.lane = l.lane AND d.state = 'waiting'
        WHERE l.waiting > 0 LIMIT %s)
    RETURNING endpoint, lane
), counted AS (SELECT endpoint, lane, count(*) AS n FROM gone GROUP BY 1, 2)
UPDATE webhooks.lanes l SET waiting = l.waiting - counted.n
FROM counted WHERE l.endpoint = counted.endpoint AND l.lane = counted.lane
"""
"""What waited for endpoints that were deleted will never be sent."""

OLD: Final = """
SELECT id FROM webhooks.events e WHERE created_at < now() - interval '35 days'
    AND NOT EXISTS (SELECT FROM webhooks.deliveries d
        WHERE d.event = e.id AND d.state = 'waiting')
    AND NOT EXISTS (SELECT FROM webhooks.attempts a WHERE a.event = e.id)
LIMIT %s FOR UPDATE SKIP LOCKED
"""
"""Older than any row of the log, and nothing of it waits."""

EVENTS: Final = """
WITH gone AS (
    DELETE FROM webhooks.events e WHERE id = ANY(%s)
        AND NOT EXISTS (SELECT FROM webhooks.deliveries d
            WHERE d.event = e.id AND d.state = 'waiting')
    RETURNING id
)
DELETE FROM webhooks.deliveries d USING gone WHERE d.event = gone.id
"""
"""Looks again once the events are locked: a replay may have put them into the queue meanwhile."""

LANES: Final = """
DELETE FROM webhooks.lanes WHERE (endpoint, lane) IN (
    SELECT endpoint, lane FROM webhooks.lanes
    WHERE waiting = 0 AND due_at < now() - interval '1 day'
    LIMIT %s FOR UPDATE SKIP LOCKED)
"""


async def prune(db: AsyncConnection[Any]) -> bool:
    """One chunk of each; whether there may be more."""
    more = False
    for statement in (ATTEMPTS, HOURS, DELETED, LANES):
        done = await db.execute(statement, (CHUNK,))
        more = more or done.rowcount >= CHUNK
    return await _prune_events(db) or more


async def _prune_events(db: AsyncConnection[Any]) -> bool:
    async with db.transaction():
        found = await (await db.execute(OLD, (CHUNK,))).fetchall()
        await db.execute(EVENTS, ([event for (event,) in found],))
    return len(found) >= CHUNK
