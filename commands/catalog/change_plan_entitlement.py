"""Grant a feature of a plan under other conditions, in its draft."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from aggregates.plan import decide
from aggregates.plan.state import PLAN
from commands.bus import handles
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePlanEntitlement:
    """``details`` holds the fields of Entitlement that the client named; others stay."""

    identifier: str
    feature: str
    details: Mapping[str, Any]


@handles(ChangePlanEntitlement)
async def change_plan_entitlement(work: UnitOfWork, command: ChangePlanEntitlement) -> UUID:
    """The plan's id. Raises PlanNotFound, EntitlementNotFound, InvalidFields."""
    stream = work.natural_id("plan", command.identifier)
    plan = await work.load(PLAN, stream)
    known = decide.granted(decide.require_active(plan), command.feature)
    entitlement = replace(known, **command.details)
    facts = decide.change_entitlement(plan, at=work.instant(), entitlement=entitlement)
    work.record(stream, facts)
    return stream
