"""Writes about offerings (design 13)."""

from __future__ import annotations

from fastapi import APIRouter, Response

from aggregates.offering.decide import OfferingNotFound
from commands.offerings.change_offering import ArchiveOffering, ChangeOffering
from commands.offerings.create_offering import CreateOffering
from projections.offerings import OFFERINGS
from wire.http.documented import gives
from wire.http.filters import uuid_of
from wire.monetization.offering import OfferingChangesIn, OfferingIn, OfferingOut
from write_api import answers
from write_api.write import ServerWrite


router = APIRouter(prefix="/monetization/offerings", tags=["Monetization"])


@router.post("/", status_code=201, responses=gives(OfferingOut, 201))
async def create(body: OfferingIn, write: ServerWrite) -> Response:
    """Create an offering: a pricing table, a targeting rule, or both."""
    content = body.content(write.id("rule"))
    command = CreateOffering(offering_id=write.id("offering"), content=content)
    return await write(command, answers.row(OFFERINGS, status=201))


@router.patch("/{offering_id}/", responses=gives(OfferingOut))
async def change(offering_id: str, body: OfferingChangesIn, write: ServerWrite) -> Response:
    """Change an offering; the conditions of its targeting rule are fixed."""
    key = uuid_of(offering_id, OfferingNotFound())
    command = ChangeOffering(offering_id=key, changes=body.changes(write.id("rule")))
    return await write(command, answers.row(OFFERINGS, key))


@router.delete("/{offering_id}/", status_code=204)
async def archive(offering_id: str, write: ServerWrite) -> Response:
    """Archive an offering; what was sold through it keeps its prices."""
    key = uuid_of(offering_id, OfferingNotFound())
    return await write(ArchiveOffering(offering_id=key), answers.nothing())
