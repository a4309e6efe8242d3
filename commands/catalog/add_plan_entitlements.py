"""Grant features with a plan, in its draft."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from aggregates.plan import decide
from aggregates.plan.state import PLAN
from commands.bus import handles
from commands.catalog.lookup import features_for_plan
from commands.unit_of_work import UnitOfWork
from kernel.entitlement import Entitlement


@dataclass(frozen=True, slots=True, kw_only=True)
class Granted:
    """One feature; ``details`` holds fields of Entitlement but its feature."""

    feature_id: UUID
    details: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class AddPlanEntitlements:
    """A feature that is granted already is granted anew under these conditions."""

    identifier: str
    granted: Sequence[Granted]


@handles(AddPlanEntitlements)
async def add_plan_entitlements(work: UnitOfWork, command: AddPlanEntitlements) -> UUID:
    """The plan's id. Raises PlanNotFound, PlanAlreadyArchived, InvalidFields."""
    stream = work.natural_id("plan", command.identifier)
    plan = await work.load(PLAN, stream)
    decide.require_active(plan)
    wanted = [each.feature_id for each in command.granted]
    features = await features_for_plan(work, wanted, field="planEntitlements")
    entitlements = [
        Entitlement(feature=features[each.feature_id], **each.details) for each in command.granted
    ]
    facts = decide.add_entitlements(plan, at=work.instant(), entitlements=entitlements)
    work.record(stream, facts)
    return stream
