"""What may happen to a test clock (design 6)."""

from __future__ import annotations

from datetime import datetime

from aggregates.test_clock.events import (
    TestClockAdvanceFinished,
    TestClockAdvanceStarted,
    TestClockCleared,
    TestClockCreated,
    TestClockDeleted,
)
from aggregates.test_clock.state import TestClock
from kernel.errors import Conflict, Invalid, NotFound


class TestClockNotFound(NotFound):
    """No test clock has this id."""

    code = "test_clock_not_found"


class ClockAdvancing(Conflict):
    """The test clock of this customer is moving; try again when it stands."""

    code = "clock_advancing"


class ClockOnlyMovesForward(Invalid):
    """A test clock moves forward only."""

    code = "clock_only_moves_forward"


def create(*, name: str | None, frozen_time: datetime, at: datetime) -> list[TestClockCreated]:
    """Stand at any instant."""
    return [TestClockCreated(name=name, frozen_time=frozen_time, occurred_at=at)]


def start_advance(
    state: TestClock, *, target: datetime, at: datetime
) -> list[TestClockAdvanceStarted]:
    """Begin to move; one advance at a time, forward only."""
    require(state)
    if state.target is not None:
        raise ClockAdvancing
    if target < state.frozen_time:
        raise ClockOnlyMovesForward
    return [TestClockAdvanceStarted(target=target, occurred_at=at)]


def finish_advance(state: TestClock, *, at: datetime) -> list[TestClockAdvanceFinished]:
    """Stand at the target; finishing twice changes nothing."""
    if state.target is None:
        return []
    return [TestClockAdvanceFinished(frozen_time=state.target, occurred_at=at)]


def delete(state: TestClock, *, at: datetime) -> list[TestClockDeleted]:
    """Take the clock away."""
    require(state)
    if state.target is not None:
        raise ClockAdvancing
    return [TestClockDeleted(occurred_at=at)]


def clear(state: TestClock, *, at: datetime) -> list[TestClockCleared]:
    """Nothing lives on a deleted clock any more; said once."""
    if not state.deleted or state.cleared:
        return []
    return [TestClockCleared(occurred_at=at)]


def require(state: TestClock) -> None:
    """Refuse what is unknown or deleted. Raises TestClockNotFound."""
    if not state.exists or state.deleted:
        raise TestClockNotFound
