"""What happens to a test clock; ``occurred_at`` is real time, ``frozen_time`` is the clock's."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class TestClockCreated:
    """A clock stands at ``frozen_time``."""

    name: str | None
    frozen_time: datetime
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class TestClockAdvanceStarted:
    """The clock began to move to ``target``; it stops at every due timer on its way."""

    target: datetime
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class TestClockAdvanceFinished:
    """The clock stands at ``frozen_time`` and all that was due by then is done."""

    frozen_time: datetime
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class TestClockDeleted:
    """The clock is gone: nothing moves it any more, what lives on it will be canceled."""

    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class TestClockCleared:
    """Everything that lived on a deleted clock has ended; history stays."""

    occurred_at: datetime


TestClockEvent = (
    TestClockCreated
    | TestClockAdvanceStarted
    | TestClockAdvanceFinished
    | TestClockDeleted
    | TestClockCleared
)
