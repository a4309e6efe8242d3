"""The delivery log: one row per attempt, of the last 30 days (wire 12).

Attempts are counted by the hour: the count adds up hours, and a page is read from the hours that it
lies in, however deep. One event has few attempts: they are counted as they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from projections.reader import Reader
from wire.webhooks.log import log_out


WINDOW: Final = timedelta(days=30)
"""Dates can narrow it, never widen it (spec: Limits)."""

HOUR: Final = timedelta(hours=1)

_INSIDE: Final = "a.organization = %s AND a.last_attempt >= %s AND a.last_attempt < %s"

_COUNT: Final = "SELECT count(*) FROM webhooks.attempts a WHERE "

_HOURS: Final = (
    "SELECT a.hour, sum(a.n)::bigint FROM webhooks.attempt_hours a "
    "WHERE a.organization = %s AND a.hour >= %s AND a.hour < %s{} "
    "GROUP BY a.hour HAVING sum(a.n) > 0 ORDER BY a.hour DESC"
)

_PAGE: Final = (
    "SELECT a.id, a.event, a.endpoint, a.kind, a.status_code, a.is_success, a.retry_count, "
    "a.last_attempt, a.created_on, e.payload FROM (SELECT found.* FROM "
    "unnest(%s::timestamptz[], %s::timestamptz[]) AS stretch(begin_at, end_at) "
    "CROSS JOIN LATERAL (SELECT a.* FROM webhooks.attempts a WHERE a.organization = %s "
    "AND a.last_attempt >= stretch.begin_at AND a.last_attempt < stretch.end_at{} "
    "ORDER BY a.last_attempt DESC, a.id LIMIT %s) found "
    "ORDER BY found.last_attempt DESC, found.id LIMIT %s OFFSET %s) a "
    "JOIN webhooks.events e ON e.id = a.event ORDER BY a.last_attempt DESC, a.id"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRange:
    """Whose attempts in ``[begin, end)``, where ``end`` is on the hour; None: of any."""

    organization: UUID
    begin: datetime
    end: datetime
    endpoint: UUID | None = None
    event: UUID | None = None
    kind: str | None = None
    success: bool | None = None

    @property
    def narrowed(self) -> str:
        """What the rows meet beside the range, as the end of a condition."""
        return "".join(f" AND a.{column} = %s" for column, _ in self._narrowed())

    @property
    def values(self) -> tuple[Any, ...]:
        """For ``narrowed``."""
        return tuple(value for _, value in self._narrowed())

    def _narrowed(self) -> list[tuple[str, Any]]:
        wanted = (self.endpoint, self.event, self.kind, self.success)
        columns = ("endpoint", "event", "kind", "is_success")
        pairs = zip(columns, wanted, strict=True)
        return [(column, value) for column, value in pairs if value is not None]


@dataclass(frozen=True, slots=True)
class Stretch:
    """So many attempts in ``[begin, end)``."""

    begin: datetime
    end: datetime
    count: int


async def stretches(reader: Reader, wanted: LogRange) -> list[Stretch]:
    """The stretches that the attempts lie in, the newest first."""
    if wanted.begin >= wanted.end:
        return []
    if wanted.event is not None:
        return [await _counted(reader, wanted, wanted.end)]
    whole = min(next_hour(wanted.begin), wanted.end)
    sql = _HOURS.format(wanted.narrowed)
    hours = await reader.rows(sql, (wanted.organization, whole, wanted.end, *wanted.values))
    found = [Stretch(hour, hour + HOUR, count) for hour, count in hours]
    if whole > wanted.begin:
        found.append(await _counted(reader, wanted, whole))
    return found


async def page(
    reader: Reader, wanted: LogRange, found: Iterable[Stretch], limit: int, offset: int
) -> list[bytes]:
    """The rows of a page, newest first, out of the stretches found."""
    chosen: list[Stretch] = []
    for stretch in found:
        if not chosen and stretch.count <= offset:
            offset -= stretch.count
        elif sum(each.count for each in chosen) < offset + limit:
            chosen.append(stretch)
    ends = [each.begin for each in chosen], [each.end for each in chosen]
    parameters = (*ends, wanted.organization, *wanted.values, offset + limit, limit, offset)
    return [log_out(r) for r in await reader.rows(_PAGE.format(wanted.narrowed), parameters)]


def next_hour(at: datetime) -> datetime:
    """The first full hour that is not before an instant."""
    hour = at.replace(minute=0, second=0, microsecond=0)
    return hour if hour == at else hour + HOUR


async def _counted(reader: Reader, wanted: LogRange, end: datetime) -> Stretch:
    bounds = (wanted.organization, wanted.begin, end)
    sql = f"{_COUNT}{_INSIDE}{wanted.narrowed}"
    ((count,),) = await reader.rows(sql, (*bounds, *wanted.values))
    return Stretch(wanted.begin, end, int(count))
