"""Writes about plans and their prices (wire 18.4)."""

from __future__ import annotations

import msgspec
from fastapi import APIRouter, Response

from commands.catalog.archive_plan import ArchivePlan
from commands.catalog.change_plan import ChangePlan
from commands.catalog.create_plan import CreatePlan
from commands.catalog.discard_plan_draft import DiscardPlanDraft
from commands.catalog.publish_plan import PublishPlan
from commands.catalog.set_plan_prices import SetPlanPrices
from kernel.file_keys import Area
from projections.plans import PLAN_VERSIONS, find_version, of_plan
from wire.catalog.plan import PlanChangesIn, PlanIn, PublishIn, new_wording
from wire.catalog.price import PricesIn, price_out
from write_api import answers
from write_api.answers import ViewsBehind
from write_api.uploads import taken
from write_api.write import Answer, Done, ServerWrite


router = APIRouter(prefix="/catalog/plans", tags=["Catalog"])


def newest_version(identifier: str | None = None, *, status: int = 200) -> Answer:
    """The newest version of a plan; of the one just created without an identifier."""

    async def answer(done: Done) -> Response:
        plan = done.stream if identifier is None else done.natural_id("plan", identifier)
        if plan is None:
            raise ViewsBehind
        found = of_plan(plan, None)
        body = await done.reader.first(PLAN_VERSIONS, done.tenant, *found)
        if body is None:
            raise ViewsBehind
        return Response(body, status, media_type="application/json")

    return answer


@router.post("/", status_code=201)
async def create(body: PlanIn, write: ServerWrite) -> Response:
    """Create a plan as a draft of version 1; its identifier can never be used again."""
    command = CreatePlan(
        product_id=body.product,
        wording=new_wording(body),
        identifier=body.identifier,
        uploads=await taken(write, body.file_keys, Area.FILES, "fileKeys"),
    )
    return await write(command, newest_version(status=201))


@router.patch("/{identifier}/")
async def change(identifier: str, body: PlanChangesIn, write: ServerWrite) -> Response:
    """Change the words, add files; a published version is copied into a draft first."""
    command = ChangePlan(
        identifier=identifier,
        changes=body.changes(),
        product_id=body.product,
        new_identifier=body.identifier,
        uploads=await taken(write, body.file_keys, Area.FILES, "fileKeys"),
    )
    return await write(command, newest_version(identifier))


@router.delete("/{identifier}/", status_code=204)
async def archive(identifier: str, write: ServerWrite) -> Response:
    """Take all versions out of sale; subscribers keep theirs."""
    return await write(ArchivePlan(identifier=identifier), answers.nothing())


@router.post("/{identifier}/publish/")
async def publish(identifier: str, write: ServerWrite, body: PublishIn | None = None) -> Response:
    """Put the draft on sale."""
    asked = body or PublishIn()
    command = PublishPlan(
        identifier=identifier,
        update_features=asked.update_features,
        update_pricing=asked.update_pricing,
    )
    return await write(command, answers.content({"status": "published"}))


@router.delete("/{identifier}/discard/", status_code=204)
async def discard(identifier: str, write: ServerWrite) -> Response:
    """Drop the draft and go back to the published version."""
    return await write(DiscardPlanDraft(identifier=identifier), answers.nothing())


@router.post("/{identifier}/prices/bulk/")
async def replace_prices(identifier: str, body: PricesIn, write: ServerWrite) -> Response:
    """Replace all prices of the draft, or none of them."""
    command = SetPlanPrices(identifier=identifier, prices=body.values())
    return await write(command, _prices(identifier))


def _prices(identifier: str) -> Answer:
    async def answer(done: Done) -> Response:
        plan = done.natural_id("plan", identifier)
        found = await find_version(done.reader, done.tenant, plan, None)
        if found is None:
            raise ViewsBehind
        prices = [price_out(price, found.default_currency) for price in found.version.prices]
        body = msgspec.json.encode({"prices": prices})
        return Response(body, media_type="application/json")

    return answer
