"""Test clocks exist in the sandbox, and an organization sees its own alone."""

from __future__ import annotations

from uuid import UUID

from aggregates.test_clock import decide
from aggregates.test_clock.decide import TestClockNotFound
from aggregates.test_clock.state import TEST_CLOCK, TestClock
from commands.unit_of_work import UnitOfWork
from kernel.tenant import Environment


def require_sandbox(work: UnitOfWork) -> None:
    """Raise TestClockNotFound anywhere else (cases 125)."""
    if work.tenant.environment is not Environment.SANDBOX:
        raise TestClockNotFound


async def load_clock(work: UnitOfWork, test_clock_id: UUID) -> TestClock:
    """A clock of this organization that was not deleted. Raises TestClockNotFound."""
    require_sandbox(work)
    state = await work.load(TEST_CLOCK, test_clock_id)
    decide.require(state)
    if work.owner(test_clock_id) != work.tenant.organization:
        raise TestClockNotFound
    return state
