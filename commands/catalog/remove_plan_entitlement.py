"""Stop granting a feature with a plan, in its draft."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.plan import decide
from aggregates.plan.state import PLAN
from commands.bus import handles
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovePlanEntitlement:
    """``feature`` is the feature's identifier (spec: Plan entitlements)."""

    identifier: str
    feature: str


@handles(RemovePlanEntitlement)
async def remove_plan_entitlement(work: UnitOfWork, command: RemovePlanEntitlement) -> UUID:
    """The plan's id. Raises PlanNotFound, EntitlementNotFound."""
    stream = work.natural_id("plan", command.identifier)
    plan = await work.load(PLAN, stream)
    facts = decide.remove_entitlement(plan, at=work.instant(), feature=command.feature)
    work.record(stream, facts)
    return stream
