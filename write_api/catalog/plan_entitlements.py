"""Writes about what plans grant (spec: Plan entitlements, wire 18.4)."""

from __future__ import annotations

import msgspec
from fastapi import APIRouter, Response

from commands.catalog.add_plan_entitlements import AddPlanEntitlements, Granted
from commands.catalog.change_plan_entitlement import ChangePlanEntitlement
from commands.catalog.remove_plan_entitlement import RemovePlanEntitlement
from projections.plans import find_version
from wire.catalog.entitlement import EntitlementChangeIn, PlanEntitlementsIn, details_out
from write_api import answers
from write_api.answers import ViewsBehind
from write_api.catalog.plans import newest_version
from write_api.write import Answer, Done, ServerWrite


router = APIRouter(prefix="/catalog/plans/{identifier}/features", tags=["Catalog"])


@router.post("/", status_code=201)
async def add(identifier: str, body: PlanEntitlementsIn, write: ServerWrite) -> Response:
    """Grant features; one that is granted already gets these conditions."""
    granted = [
        Granted(feature_id=each.feature, details=each.details.fields(all_of_them=True))
        for each in body.plan_entitlements
    ]
    command = AddPlanEntitlements(identifier=identifier, granted=granted)
    return await write(command, newest_version(identifier, status=201))


@router.patch("/{feature}/")
async def change(
    identifier: str, feature: str, body: EntitlementChangeIn, write: ServerWrite
) -> Response:
    """Change the named conditions of one granted feature, by its identifier."""
    details = body.details.fields(all_of_them=False)
    command = ChangePlanEntitlement(identifier=identifier, feature=feature, details=details)
    return await write(command, _details(identifier, feature))


@router.delete("/{feature}/")
async def remove(identifier: str, feature: str, write: ServerWrite) -> Response:
    """Stop granting a feature, by its identifier."""
    command = RemovePlanEntitlement(identifier=identifier, feature=feature)
    text = f"The feature {feature} was removed from the plan {identifier}."
    return await write(command, answers.message(text))


def _details(identifier: str, feature: str) -> Answer:
    async def answer(done: Done) -> Response:
        plan = done.natural_id("plan", identifier)
        found = await find_version(done.reader, done.tenant, plan, None)
        granted = None if found is None else found.version.entitlement_to(feature)
        if granted is None:
            raise ViewsBehind
        body = msgspec.json.encode({"details": details_out(granted)})
        return Response(body, media_type="application/json")

    return answer
