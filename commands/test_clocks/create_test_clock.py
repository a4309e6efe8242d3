"""Set up a clock that stands until it is moved."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from aggregates.test_clock import decide
from aggregates.test_clock.state import TEST_CLOCK, TestClock
from commands.bus import handles
from commands.test_clocks.ownership import require_sandbox
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateTestClock:
    """A clock that stands at ``frozen_time``."""

    test_clock_id: UUID
    name: str | None
    frozen_time: datetime


@handles(CreateTestClock)
async def create_test_clock(work: UnitOfWork, command: CreateTestClock) -> UUID:
    """The id. Raises TestClockNotFound outside the sandbox."""
    require_sandbox(work)
    stream = command.test_clock_id
    known: TestClock = await work.load(TEST_CLOCK, stream, absent=True)
    if not known.exists:
        facts = decide.create(name=command.name, frozen_time=command.frozen_time, at=work.instant())
        work.record(stream, facts, owner=work.tenant.organization)
    return stream
