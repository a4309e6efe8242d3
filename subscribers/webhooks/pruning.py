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

EVENTS: Final = """
WITH old AS (
    SELECT id FROM webhooks.events e WHERE created_at < now() - interval '35 days'
        AND NOT EXISTS (SELECT FROM webhooks.deliveries d
            WHERE d.event = e.id AND d.state = 'waiting')
        AND NOT EXISTS (SELECT FROM webhooks.attempts a WHERE a.event = e.id)
    LIMIT %s FOR UPDATE SKIP LOCKED
), sent AS (DELETE FROM webhooks.deliveries d USING old WHERE d.event = old.id)
DELETE FROM webhooks.events e USING old WHERE e.id = old.id
"""
"""Older than any row of the log, and nothing of it waits."""

LANES: Final = """
DELETE FROM webhooks.lanes WHERE (endpoint, lane) IN (
    SELECT endpoint, lane FROM webhooks.lanes
    WHERE waiting = 0 AND due_at < now() - interval '1 day'
    LIMIT %s FOR UPDATE SKIP LOCKED)
"""


async def prune(db: AsyncConnection[Any]) -> bool:
    """One chunk of each; whether there may be more."""
    more = False
    for statement in (ATTEMPTS, DELETED, EVENTS, LANES):
        done = await db.execute(statement, (CHUNK,))
        more = more or done.rowcount >= CHUNK
    return more
