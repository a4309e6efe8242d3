"""Drop the draft of a plan."""

from __future__ import annotations

from dataclasses import dataclass

from aggregates.plan import decide
from aggregates.plan.state import PLAN
from commands.bus import handles
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscardPlanDraft:
    """Go back to the published version."""

    identifier: str


@handles(DiscardPlanDraft)
async def discard_plan_draft(work: UnitOfWork, command: DiscardPlanDraft) -> None:
    """Raises PlanNotFound, PlanHasNoDraft, PlanNeverPublished."""
    stream = work.natural_id("plan", command.identifier)
    plan = await work.load(PLAN, stream)
    work.record(stream, decide.discard(plan, at=work.instant()))
