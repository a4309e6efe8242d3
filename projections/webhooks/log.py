"""The delivery log: one row per attempt, of the last 30 days (wire 12)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from projections.reader import Reader
from wire.webhooks.log import log_out


WINDOW: Final = timedelta(days=30)
"""Dates can narrow it, never widen it (spec: Limits)."""

_RANGE: Final = "a.organization = %s AND a.last_attempt >= %s AND a.last_attempt <= %s"

_COUNT: Final = "SELECT count(*) FROM webhooks.attempts a WHERE "

_PAGE: Final = (
    "SELECT a.id, a.event, a.endpoint, a.kind, a.status_code, a.is_success, a.retry_count, "
    "a.last_attempt, a.created_on, e.payload FROM webhooks.attempts a "
    "JOIN webhooks.events e ON e.id = a.event WHERE "
)

_NEWEST_FIRST: Final = " ORDER BY a.last_attempt DESC, a.id LIMIT %s OFFSET %s"


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRange:
    """Whose attempts, from an instant to another, both included; None: of any."""

    organization: UUID
    begin: datetime
    end: datetime
    endpoint: UUID | None = None
    event: UUID | None = None
    kind: str | None = None
    success: bool | None = None

    @property
    def condition(self) -> str:
        """What the rows meet."""
        return " AND ".join([_RANGE, *(f"a.{column} = %s" for column, _ in self._narrowed())])

    @property
    def parameters(self) -> tuple[Any, ...]:
        """For the condition."""
        return (self.organization, self.begin, self.end, *(v for _, v in self._narrowed()))

    def _narrowed(self) -> list[tuple[str, Any]]:
        wanted = (self.endpoint, self.event, self.kind, self.success)
        columns = ("endpoint", "event", "kind", "is_success")
        pairs = zip(columns, wanted, strict=True)
        return [(column, value) for column, value in pairs if value is not None]


async def count(reader: Reader, wanted: LogRange) -> int:
    """How many attempts there were."""
    return int((await reader.rows(_COUNT + wanted.condition, wanted.parameters))[0][0])


async def page(reader: Reader, wanted: LogRange, limit: int, offset: int) -> list[bytes]:
    """The rows of a page, newest first."""
    query = _PAGE + wanted.condition + _NEWEST_FIRST
    found = await reader.rows(query, (*wanted.parameters, limit, offset))
    return [log_out(row) for row in found]
