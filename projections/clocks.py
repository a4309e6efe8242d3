"""What time it is for a row: its test clock's, or the reader's (design 6)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from projections.reader import Condition
from projections.table import Present


JOIN = "LEFT JOIN test_clocks c ON c.id = t.test_clock"
"""For tables with a column ``test_clock``; a clock that was deleted stands where it stood."""

_DAY = timedelta(days=1)


def with_clock(column: str) -> str:
    """SQL of an instant of the row together with where its clock stands, for a splice."""
    return f"ARRAY[{column}, c.frozen_time]"


def days_left(value: Any, present: Present) -> int:
    """The ceiling of the days until an instant, 0 when it is past or None (design 13)."""
    until, frozen = value
    if until is None:
        return 0
    left: timedelta = until - (frozen or present.now)
    return max(0, -(-left // _DAY))


def has_come(value: Any, present: Present) -> bool:
    """Whether an instant is reached; None never is."""
    at, frozen = value
    return at is not None and at <= (frozen or present.now)


def not_past(column: str, now: datetime) -> Condition:
    """Rows whose instant is open or still ahead on their own clock."""
    return Condition(f"({column} IS NULL OR {column} > coalesce(c.frozen_time, %s))", (now,))
