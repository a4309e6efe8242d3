"""Let a test clock stand at its target, once all that was due by then is done."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from aggregates.test_clock import decide
from commands.bus import handles
from commands.test_clocks.ownership import load_clock
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishAdvance:
    """End the advance to ``target``; an advance to somewhere else goes on."""

    test_clock_id: UUID
    target: datetime


@handles(FinishAdvance)
async def finish_advance(work: UnitOfWork, command: FinishAdvance) -> None:
    """Record the end of that advance, unless it is recorded already."""
    state = await load_clock(work, command.test_clock_id)
    if state.target == command.target:
        work.record(command.test_clock_id, decide.finish_advance(state, at=work.instant()))
