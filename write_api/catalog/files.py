"""Writes about the files of plans and the images of products (wire 18.1, 18.4)."""

from __future__ import annotations

from uuid import UUID

import msgspec
from fastapi import APIRouter, Response

from commands.catalog.change_plan_file import ChangePlanFile, RemovePlanFile
from commands.catalog.change_product_image import ChangeProductImage, RemoveProductImage
from projections.plans import PLAN_VERSIONS, of_plan
from projections.products import PRODUCTS
from wire.http.documented import gives
from wire.media import PlanFileChangesIn, PlanFileOut, ProductImageChangesIn, ProductImageOut
from write_api import answers
from write_api.answers import ViewsBehind
from write_api.write import Answer, Done, ServerWrite


router = APIRouter(prefix="/catalog", tags=["Catalog"])


@router.patch("/plans/{identifier}/file/{file_id}/", responses=gives(PlanFileOut))
async def change_file(
    identifier: str, file_id: UUID, body: PlanFileChangesIn, write: ServerWrite
) -> Response:
    """Change name, ordering or enabled of a plan's file, in the draft."""
    command = ChangePlanFile(identifier=identifier, file_id=file_id, changes=body.changes())
    return await write(command, _file(identifier, file_id))


@router.delete("/plans/{identifier}/file/{file_id}/", status_code=204)
async def remove_file(identifier: str, file_id: UUID, write: ServerWrite) -> Response:
    """Remove a file from the plan's draft; who bought the plan with it keeps it."""
    return await write(RemovePlanFile(identifier=identifier, file_id=file_id), answers.nothing())


@router.patch("/products/{product_id}/image/{image_id}/", responses=gives(ProductImageOut))
async def change_image(
    product_id: UUID, image_id: UUID, body: ProductImageChangesIn, write: ServerWrite
) -> Response:
    """Change a product's image; a new thumbnail takes the place of the old one."""
    command = ChangeProductImage(product_id=product_id, image_id=image_id, changes=body.changes())
    return await write(command, _image(product_id, image_id))


@router.delete("/products/{product_id}/image/{image_id}/", status_code=204)
async def remove_image(product_id: UUID, image_id: UUID, write: ServerWrite) -> Response:
    """Remove a product's image."""
    command = RemoveProductImage(product_id=product_id, image_id=image_id)
    return await write(command, answers.nothing())


def _file(identifier: str, file_id: UUID) -> Answer:
    async def answer(done: Done) -> Response:
        found = of_plan(done.natural_id("plan", identifier), None)
        body = await done.reader.first(PLAN_VERSIONS, done.tenant, *found)
        return _one(body, "files", file_id)

    return answer


def _image(product_id: UUID, image_id: UUID) -> Answer:
    async def answer(done: Done) -> Response:
        body = await done.reader.find(PRODUCTS, done.tenant, product_id)
        return _one(body, "images", image_id)

    return answer


def _one(body: bytes | None, part: str, wanted: UUID) -> Response:
    """One of a record's files. Raises ViewsBehind."""
    record = msgspec.json.decode(body or b"{}")
    for each in record.get(part, ()):
        if each["id"] == str(wanted):
            return Response(msgspec.json.encode(each), media_type="application/json")
    raise ViewsBehind
