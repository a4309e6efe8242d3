"""Claims what is due and records what came of it; every rule of order is in these statements.

A lane is held by the claim that took it until it is released or the hold runs out. What a claim
says about a lane counts only while it is the holder, so a sender that was stopped for a while and
wakes up cannot move a lane that another one goes on with.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID, uuid4

from psycopg import AsyncConnection


Connection = AsyncConnection[Any]
LaneKey = tuple[UUID, UUID]

HOLD: Final = timedelta(seconds=40)
"""How long a claim holds a lane: longer than two attempts may take."""

DRAIN: Final = 20
"""Deliveries of one lane that a claim takes along."""

CLAIM: Final = """
WITH due AS (
    SELECT l.endpoint, l.lane
    FROM unnest(%s::uuid[], %s::int[]) AS e(endpoint, running)
    LEFT JOIN webhooks.health h ON h.endpoint = e.endpoint
    CROSS JOIN LATERAL (
        SELECT l.endpoint, l.lane FROM webhooks.lanes l
        WHERE l.endpoint = e.endpoint AND l.waiting > 0 AND l.due_at <= clock_timestamp()
            AND coalesce(h.held_until, '-infinity') <= clock_timestamp()
        ORDER BY l.due_at
        LIMIT greatest(0, CASE WHEN h.failing_since IS NULL THEN %s ELSE 1 END - e.running)
        FOR UPDATE SKIP LOCKED
    ) l
)
UPDATE webhooks.lanes l SET holder = %s, due_at = clock_timestamp() + %s
FROM due WHERE l.endpoint = due.endpoint AND l.lane = due.lane
RETURNING l.endpoint, l.lane
"""

TAKE: Final = """
SELECT c.endpoint, c.lane, d.seq, d.attempts, e.id, e.organization, e.kind, e.created_at, e.payload
FROM unnest(%s::uuid[], %s::uuid[]) AS c(endpoint, lane)
CROSS JOIN LATERAL (
    SELECT * FROM webhooks.deliveries d
    WHERE d.endpoint = c.endpoint AND d.lane = c.lane AND d.state = 'waiting'
    ORDER BY d.seq LIMIT %s
) d
JOIN webhooks.events e ON e.id = d.event
ORDER BY c.endpoint, c.lane, d.seq
"""

LOCK_LANES: Final = """
SELECT FROM webhooks.lanes l JOIN unnest(%s::uuid[], %s::uuid[]) AS k(endpoint, lane)
    USING (endpoint, lane) ORDER BY endpoint, lane FOR UPDATE OF l
"""
"""In the order in which new deliveries take them, so that nobody waits in a circle."""

LOG: Final = """
INSERT INTO webhooks.attempts (id, organization, event, endpoint, kind, status_code, is_success,
    retry_count, last_attempt, created_on, problem)
SELECT * FROM unnest(%s::uuid[], %s::uuid[], %s::uuid[], %s::uuid[], %s::text[], %s::int[],
    %s::bool[], %s::int[], %s::timestamptz[], %s::timestamptz[], %s::text[])
ON CONFLICT (id) DO NOTHING
"""

SETTLE: Final = """
WITH settled AS (
    UPDATE webhooks.deliveries d SET state = u.state, attempts = u.attempts + 1
    FROM unnest(%s::bigint[], %s::uuid[], %s::uuid[], %s::text[], %s::int[])
        AS u(seq, event, endpoint, state, attempts)
    WHERE d.seq = u.seq AND d.event = u.event AND d.endpoint = u.endpoint AND d.state = 'waiting'
        AND (u.state <> 'waiting' OR d.attempts = u.attempts)
    RETURNING d.endpoint, d.lane, d.state
), gone AS (
    SELECT endpoint, lane, count(*) AS n FROM settled WHERE state <> 'waiting' GROUP BY 1, 2
)
UPDATE webhooks.lanes l SET waiting = l.waiting - gone.n
FROM gone WHERE l.endpoint = gone.endpoint AND l.lane = gone.lane
"""
"""A number alone proves nothing: deliveries that a crash of the server took are put down again, and
their numbers may then be those of others."""

RELEASE: Final = """
UPDATE webhooks.lanes l SET holder = NULL, due_at = clock_timestamp() + r.delay
FROM unnest(%s::uuid[], %s::uuid[], %s::uuid[], %s::interval[]) AS r(endpoint, lane, holder, delay)
WHERE l.endpoint = r.endpoint AND l.lane = r.lane AND l.holder = r.holder
"""


@dataclass(frozen=True, slots=True)
class Delivery:
    """One event that one endpoint is to get; ``attempts`` were made before."""

    seq: int
    attempts: int
    event: UUID
    organization: UUID
    kind: str
    created_at: datetime
    payload: bytes


@dataclass(frozen=True, slots=True)
class Lane:
    """What a claim holds: the next deliveries of one order key, oldest first."""

    endpoint: UUID
    lane: UUID
    holder: UUID
    deliveries: tuple[Delivery, ...]

    @property
    def key(self) -> LaneKey:
        """What is locked."""
        return (self.endpoint, self.lane)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt and what it came to; ``state`` is what the delivery is from now on."""

    id: UUID
    lane: Lane
    delivery: Delivery
    at: datetime
    status: int | None
    success: bool
    state: str
    problem: str | None

    def row(self) -> tuple[Any, ...]:
        """The row of the delivery log."""
        sent = self.delivery
        head = (self.id, sent.organization, sent.event, self.lane.endpoint, sent.kind)
        result = (self.status, self.success, sent.attempts)
        return (*head, *result, self.at, sent.created_at, self.problem)

    def outcome(self) -> tuple[Any, ...]:
        """What becomes of the delivery."""
        sent = self.delivery
        return (sent.seq, sent.event, self.lane.endpoint, self.state, sent.attempts)


@dataclass(frozen=True, slots=True)
class Release:
    """A lane that goes on after a delay."""

    lane: Lane
    delay: timedelta


async def claim(
    db: Connection, running: Mapping[UUID, int], budget: int, *, hold: timedelta = HOLD
) -> list[Lane]:
    """Take due lanes of these endpoints: at most ``budget`` each, those held already included.

    An endpoint whose last attempt failed gets one at a time, until one succeeds.
    """
    holder = uuid4()
    endpoints, counts = list(running), list(running.values())
    found = await db.execute(CLAIM, (endpoints, counts, budget, holder, hold))
    keys: list[LaneKey] = await found.fetchall()
    if not keys:
        return []
    taken = await db.execute(TAKE, (*_columns(keys), DRAIN), binary=True)
    deliveries: dict[LaneKey, list[Delivery]] = {key: [] for key in keys}
    for endpoint, lane, seq, attempts, *event in await taken.fetchall():
        deliveries[(endpoint, lane)].append(Delivery(seq, attempts, *event))
    return [Lane(*key, holder, tuple(each)) for key, each in deliveries.items()]


async def record(db: Connection, attempts: Sequence[Attempt], releases: Sequence[Release]) -> None:
    """Write what came of attempts and let lanes go; to be called in a transaction."""
    keys = {a.lane.key for a in attempts} | {r.lane.key for r in releases}
    await db.execute(LOCK_LANES, _columns(sorted(keys)))
    if attempts:
        await db.execute(LOG, _columns(attempt.row() for attempt in attempts))
        await db.execute(SETTLE, _columns(attempt.outcome() for attempt in attempts))
    if releases:
        gone = ((r.lane.endpoint, r.lane.lane, r.lane.holder, r.delay) for r in releases)
        await db.execute(RELEASE, _columns(gone))


def _columns(rows: Iterable[Sequence[Any]]) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]
