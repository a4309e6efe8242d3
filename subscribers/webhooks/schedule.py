"""When a delivery that failed is tried again (design 9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final


DELAYS: Final = (
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=5),
    timedelta(hours=10),
    timedelta(hours=14),
    timedelta(hours=20),
    timedelta(hours=24),
)
"""After the first failure, the second, and so on; after the last one the delivery is given up."""

JITTER: Final = 0.1
"""A delay grows by up to this part, so that what failed together does not return together."""

LONGEST_HOLD: Final = timedelta(hours=24)
"""A receiver cannot put a delivery off for longer than this."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """The delays between attempts, and how much they may be stretched."""

    delays: Sequence[timedelta] = DELAYS
    jitter: float = JITTER

    def after(self, failures: int, chance: float) -> timedelta | None:
        """The delay after so many failures; None: give up. ``chance`` lies between 0 and 1."""
        if failures > len(self.delays):
            return None
        return self.delays[failures - 1] * (1 + self.jitter * chance)


def retry_after(headers: Mapping[str, str], now: datetime) -> timedelta:
    """How long the receiver asks to wait, in seconds or as a date; zero when it does not ask."""
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        asked = timedelta(seconds=min(int(text[:9]), LONGEST_HOLD.total_seconds()))
    else:
        asked = _until(text, now)
    return min(max(asked, timedelta()), LONGEST_HOLD)


def _until(text: str, now: datetime) -> timedelta:
    try:
        date = parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return timedelta()
    return (date if date.tzinfo else date.replace(tzinfo=UTC)) - now
