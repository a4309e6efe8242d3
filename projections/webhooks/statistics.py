"""How the deliveries to one endpoint fare: what came through, what waits, since when it fails."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from projections.reader import Reader


_STATISTICS: Final = """
SELECT
    coalesce(h.succeeded, 0), coalesce(h.failed, 0), h.failing_since,
    CASE WHEN h.held_until > clock_timestamp() THEN h.held_until END,
    w.events, w.oldest, day.succeeded, day.failed, worked.at, failed.at, failed.status,
    failed.problem
FROM (SELECT %(endpoint)s::uuid AS endpoint) e
LEFT JOIN webhooks.health h USING (endpoint)
CROSS JOIN LATERAL (
    SELECT count(*) AS events, min(v.created_at) AS oldest
    FROM webhooks.deliveries d JOIN webhooks.events v ON v.id = d.event
    WHERE d.endpoint = e.endpoint AND d.state = 'waiting'
) w
CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE a.is_success) AS succeeded,
        count(*) FILTER (WHERE NOT a.is_success) AS failed
    FROM webhooks.attempts a
    WHERE a.endpoint = e.endpoint AND a.last_attempt > clock_timestamp() - interval '24 hours'
) day
LEFT JOIN LATERAL (
    SELECT a.last_attempt AS at FROM webhooks.attempts a
    WHERE a.endpoint = e.endpoint AND a.is_success ORDER BY a.last_attempt DESC LIMIT 1
) worked ON true
LEFT JOIN LATERAL (
    SELECT a.last_attempt AS at, a.status_code AS status, a.problem FROM webhooks.attempts a
    WHERE a.endpoint = e.endpoint AND NOT a.is_success ORDER BY a.last_attempt DESC LIMIT 1
) failed ON true
"""

FIELDS: Final = (
    *("succeeded", "failed", "failing_since", "held_until", "waiting", "oldest_waiting"),
    *("succeeded_today", "failed_today", "last_success", "last_failure"),
    *("last_status", "last_problem"),
)


async def of(reader: Reader, endpoint: UUID) -> dict[str, Any]:
    """The figures of an endpoint; all 0 and None before its first delivery."""
    [row] = await reader.rows(_STATISTICS, {"endpoint": endpoint})
    return dict(zip(FIELDS, row, strict=True))
