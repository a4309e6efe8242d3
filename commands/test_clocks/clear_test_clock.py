"""Everything that lived on a deleted test clock has ended."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.test_clock import decide
from aggregates.test_clock.state import TEST_CLOCK
from commands.bus import handles
from commands.test_clocks.ownership import require_sandbox
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class ClearTestClock:
    """Asked for when the last subscription on the clock was canceled."""

    test_clock_id: UUID


@handles(ClearTestClock)
async def clear_test_clock(work: UnitOfWork, command: ClearTestClock) -> None:
    """Record it once."""
    require_sandbox(work)
    state = await work.load(TEST_CLOCK, command.test_clock_id)
    work.record(command.test_clock_id, decide.clear(state, at=work.instant()))
