"""Where a test clock stands."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import assert_never

from aggregates.test_clock.events import (
    TestClockAdvanceFinished,
    TestClockAdvanceStarted,
    TestClockCleared,
    TestClockCreated,
    TestClockDeleted,
    TestClockEvent,
)
from kernel.fold import Fold


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class TestClock:
    """``target`` is set while the clock moves."""

    exists: bool = False
    deleted: bool = False
    cleared: bool = False
    frozen_time: datetime = EPOCH
    target: datetime | None = None


def evolve(state: TestClock, event: TestClockEvent) -> TestClock:
    """Total and free of rules: what is recorded is true."""
    match event:
        case TestClockCreated():
            return TestClock(exists=True, frozen_time=event.frozen_time)
        case TestClockAdvanceStarted():
            return replace(state, target=event.target)
        case TestClockAdvanceFinished():
            return replace(state, frozen_time=event.frozen_time, target=None)
        case TestClockDeleted():
            return replace(state, deleted=True)
        case TestClockCleared():
            return replace(state, cleared=True)
        case _:
            assert_never(event)


TEST_CLOCK = Fold("test_clock", TestClock(), evolve, (TestClockCreated,))
