"""Wishes to have history sent again, and how far each has got."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from psycopg import AsyncConnection


Connection = AsyncConnection[Any]

ASK: Final = (
    "INSERT INTO webhooks.replays "
    "(id, organization, endpoint, begin_at, end_at, first_position, last_position) "
    "VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT (id) DO NOTHING"
)

OPEN: Final = (
    "SELECT r.id, r.organization, r.endpoint, r.begin_at, r.end_at, r.first_position, "
    "r.last_position, r.done_position, e.deleted, e.doc FROM webhooks.replays r "
    "LEFT JOIN webhook_endpoints e ON e.id = r.endpoint "
    "WHERE r.finished_at IS NULL AND NOT r.id = ANY(%s) ORDER BY r.created_at, r.id"
)

MOVE: Final = "UPDATE webhooks.replays SET done_position = %s WHERE id = %s"
FINISH: Final = "UPDATE webhooks.replays SET finished_at = now() WHERE id = %s"

TAKES_EVENTS: Final = (
    "SELECT doc FROM webhook_endpoints WHERE id = %s AND organization = %s AND NOT deleted"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """History of positions ``first`` to ``last`` recorded in ``[begin, end)``, for one endpoint.

    ``kinds`` is what the endpoint gets now, None when it is deleted. Owners whose first fact in the
    range is at or before ``done`` have all theirs in the queue already.
    """

    id: UUID
    organization: UUID
    endpoint: UUID
    begin: datetime | None
    end: datetime | None
    first: int
    last: int
    done: int = 0
    kinds: frozenset[str] | None = None

    @property
    def reached(self) -> int:
        """Where to go on."""
        return max(self.first - 1, self.done)

    def holds(self, position: int, recorded_at: datetime) -> bool:
        """Whether a fact lies in the range."""
        return (
            self.first <= position <= self.last
            and (self.begin is None or recorded_at >= self.begin)
            and (self.end is None or recorded_at < self.end)
        )


async def is_enabled(db: Connection, endpoint: UUID, organization: UUID) -> bool | None:
    """Whether the endpoint takes events; None when there is none."""
    row = await (await db.execute(TAKES_EVENTS, (endpoint, organization))).fetchone()
    return None if row is None else bool(msgspec.json.decode(row[0])["enabled"])


async def ask(db: Connection, replay: Replay) -> None:
    """Remember the wish; the same id twice is one wish."""
    head = (replay.id, replay.organization, replay.endpoint)
    await db.execute(ASK, (*head, replay.begin, replay.end, replay.first, replay.last))


async def unfinished(db: Connection, but: Collection[UUID] = ()) -> list[Replay]:
    """The wishes that are not fulfilled, the oldest first, but for some."""
    return [_replay(row) for row in await (await db.execute(OPEN, (list(but),))).fetchall()]


async def move(db: Connection, replay: UUID, position: int) -> None:
    """``done`` is this position from now on."""
    await db.execute(MOVE, (position, replay))


async def finish(db: Connection, replay: UUID) -> None:
    """The wish is fulfilled."""
    await db.execute(FINISH, (replay,))


def _replay(row: Sequence[Any]) -> Replay:
    kinds = None if row[8] is not False else frozenset(msgspec.json.decode(row[9])["events"])
    return Replay(
        id=row[0],
        organization=row[1],
        endpoint=row[2],
        begin=row[3],
        end=row[4],
        first=row[5],
        last=row[6],
        done=row[7],
        kinds=kinds,
    )
