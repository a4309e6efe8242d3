"""Begin to move a test clock; the worker ``advance_test_clocks`` does the moving."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from aggregates.test_clock import decide
from commands.bus import handles
from commands.test_clocks.ownership import load_clock
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvanceTestClock:
    """Move the clock to ``target``, through everything that is due on the way."""

    test_clock_id: UUID
    target: datetime


@handles(AdvanceTestClock)
async def advance_test_clock(work: UnitOfWork, command: AdvanceTestClock) -> None:
    """Record the start. Raises TestClockNotFound, ClockAdvancing, ClockOnlyMovesForward."""
    state = await load_clock(work, command.test_clock_id)
    facts = decide.start_advance(state, target=command.target, at=work.instant())
    work.record(command.test_clock_id, facts)
