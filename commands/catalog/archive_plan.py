"""Take a plan out of sale, with all its versions."""

from __future__ import annotations

from dataclasses import dataclass

from aggregates.plan import decide
from aggregates.plan.state import PLAN
from commands.bus import handles
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivePlan:
    """Subscribers keep their version."""

    identifier: str


@handles(ArchivePlan)
async def archive_plan(work: UnitOfWork, command: ArchivePlan) -> None:
    """Raises PlanNotFound, PlanAlreadyArchived."""
    stream = work.natural_id("plan", command.identifier)
    plan = await work.load(PLAN, stream)
    work.record(stream, decide.archive(plan, at=work.instant()))
