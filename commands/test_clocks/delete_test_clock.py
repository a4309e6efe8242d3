"""Take a test clock away."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.test_clock import decide
from commands.bus import handles
from commands.test_clocks.ownership import load_clock
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteTestClock:
    """Nothing moves this clock any more; a reaction cancels what lives on it."""

    test_clock_id: UUID


@handles(DeleteTestClock)
async def delete_test_clock(work: UnitOfWork, command: DeleteTestClock) -> None:
    """Record the end of the clock. Raises TestClockNotFound, ClockAdvancing."""
    state = await load_clock(work, command.test_clock_id)
    work.record(command.test_clock_id, decide.delete(state, at=work.instant()))
