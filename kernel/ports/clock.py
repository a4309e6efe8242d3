"""Where the present comes from."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """The wall clock; nothing in the domain reads it."""

    def now(self) -> datetime:
        """The present instant, UTC, with microseconds."""
