"""How endpoints fare: since when each fails, until when it asked to be left alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from psycopg import AsyncConnection


KNOW: Final = (
    "INSERT INTO webhooks.health (endpoint) SELECT * FROM unnest(%s::uuid[]) ON CONFLICT DO NOTHING"
)

LOCK: Final = "SELECT FROM webhooks.health WHERE endpoint = ANY(%s) ORDER BY endpoint FOR UPDATE"

UPDATE: Final = """
UPDATE webhooks.health h SET
    failing_since = CASE
        WHEN u.recovered OR h.failing_since IS NULL OR h.failing_since < u.enabled_at
        THEN u.failing_since ELSE h.failing_since END,
    held_until = coalesce(u.held_until, h.held_until),
    succeeded = h.succeeded + u.succeeded,
    failed = h.failed + u.failed
FROM unnest(%s::uuid[], %s::bool[], %s::timestamptz[], %s::timestamptz[], %s::timestamptz[],
    %s::bigint[], %s::bigint[])
    AS u(endpoint, recovered, failing_since, enabled_at, held_until, succeeded, failed)
WHERE h.endpoint = u.endpoint
RETURNING h.endpoint, h.failing_since
"""

FORGIVE: Final = """
WITH fresh AS (
    UPDATE webhooks.health h SET failing_since = NULL, held_until = NULL
    FROM unnest(%s::uuid[], %s::timestamptz[]) AS u(endpoint, enabled_at)
    WHERE h.endpoint = u.endpoint
        AND h.failing_since < u.enabled_at
    RETURNING h.endpoint
), waiting AS (
    SELECT l.endpoint, l.lane FROM webhooks.lanes l JOIN fresh USING (endpoint)
    WHERE l.waiting > 0 AND l.holder IS NULL AND l.due_at > clock_timestamp()
    ORDER BY endpoint, lane FOR UPDATE OF l SKIP LOCKED
)
UPDATE webhooks.lanes l SET due_at = clock_timestamp()
FROM waiting w WHERE l.endpoint = w.endpoint AND l.lane = w.lane
"""


@dataclass(frozen=True, slots=True)
class Sign:
    """What one attempt says about an endpoint that was enabled at ``enabled_at``."""

    endpoint: UUID
    enabled_at: datetime
    at: datetime
    success: bool
    held_until: datetime | None


@dataclass(slots=True)
class _Tally:
    enabled_at: datetime
    recovered: bool = False
    failing_since: datetime | None = None
    held_until: datetime | None = None
    succeeded: int = 0
    failed: int = 0


async def note(db: AsyncConnection[Any], signs: Sequence[Sign]) -> dict[UUID, datetime]:
    """Add up the signs, in order; returns since when the endpoints fail that do."""
    tallies = _tally(signs)
    if not tallies:
        return {}
    endpoints = sorted(tallies)
    await db.execute(KNOW, (endpoints,))
    await db.execute(LOCK, (endpoints,))
    rows = [_row(endpoint, tallies[endpoint]) for endpoint in endpoints]
    columns = [list(column) for column in zip(*rows, strict=True)]
    found = await db.execute(UPDATE, columns)
    return {endpoint: since for endpoint, since in await found.fetchall() if since is not None}


async def forgive(db: AsyncConnection[Any], enabled_at: Mapping[UUID, datetime]) -> None:
    """What failed before an endpoint was enabled or moved is tried again now."""
    if enabled_at:
        await db.execute(FORGIVE, (list(enabled_at), list(enabled_at.values())))


def _row(endpoint: UUID, tally: _Tally) -> tuple[Any, ...]:
    state = (tally.recovered, tally.failing_since, tally.enabled_at, tally.held_until)
    return (endpoint, *state, tally.succeeded, tally.failed)


def _tally(signs: Iterable[Sign]) -> dict[UUID, _Tally]:
    tallies: dict[UUID, _Tally] = {}
    for sign in signs:
        tally = tallies.setdefault(sign.endpoint, _Tally(sign.enabled_at))
        tally.enabled_at = sign.enabled_at
        tally.held_until = sign.held_until or tally.held_until
        if sign.success:
            tally.recovered, tally.failing_since = True, None
            tally.succeeded += 1
        else:
            tally.failing_since = tally.failing_since or sign.at
            tally.failed += 1
    return tallies
