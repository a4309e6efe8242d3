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

_COUNT: Final = f"SELECT count(*) FROM webhooks.attempts a WHERE {_RANGE}"

_PAGE: Final = (
    "SELECT a.id, a.event, a.endpoint, a.kind, a.status_code, a.is_success, a.retry_count, "
    "a.last_attempt, a.created_on, e.payload FROM webhooks.attempts a "
    f"JOIN webhooks.events e ON e.id = a.event WHERE {_RANGE} "
    "ORDER BY a.last_attempt DESC, a.id LIMIT %s OFFSET %s"
)


@dataclass(frozen=True, slots=True)
class LogRange:
    """Whose attempts, from an instant to another, both included."""

    organization: UUID
    begin: datetime
    end: datetime

    @property
    def parameters(self) -> tuple[Any, ...]:
        """For the statements."""
        return (self.organization, self.begin, self.end)


async def count(reader: Reader, wanted: LogRange) -> int:
    """How many attempts there were."""
    return int((await reader.rows(_COUNT, wanted.parameters))[0][0])


async def page(reader: Reader, wanted: LogRange, limit: int, offset: int) -> list[bytes]:
    """The rows of a page, newest first."""
    found = await reader.rows(_PAGE, (*wanted.parameters, limit, offset))
    return [log_out(row) for row in found]
