"""The clock on the wall."""

from __future__ import annotations

from datetime import UTC, datetime


class SystemClock:
    """The machine's clock, in UTC."""

    def now(self) -> datetime:
        """The present instant, with microseconds."""
        return datetime.now(UTC)
