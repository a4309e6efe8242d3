"""Queries about offerings (design 13)."""

from __future__ import annotations

from fastapi import APIRouter, Response

from kernel.errors import NotFound
from kernel.publication import Publication
from projections.offerings import OFFERINGS
from projections.publications import with_status
from read_api.query import ServerList, ServerQuery
from wire.http import filters
from wire.http.documented import Page, gives
from wire.monetization.offering import OfferingOut


router = APIRouter(prefix="/monetization/offerings", tags=["Monetization"])
STATUSES = [status.value for status in Publication]
IN_USE = [Publication.DRAFT.value, Publication.ACTIVE.value]


class OfferingNotFound(NotFound):
    """No such offering."""

    code = "offering_not_found"


@router.get("/", responses=gives(Page[OfferingOut]))
async def listed(query: ServerList, status: filters.Words = None) -> Response:
    """All offerings, newest first; archived ones only when ``status`` asks for them."""
    wanted = filters.words(status, STATUSES, "status") or IN_USE
    return await query.page(OFFERINGS, with_status(wanted))


@router.get("/{offering_id}/", responses=gives(OfferingOut))
async def one(offering_id: str, query: ServerQuery) -> Response:
    """One offering, also an archived one."""
    key = filters.uuid_of(offering_id, OfferingNotFound())
    return await query.one(OFFERINGS, key, refusal=OfferingNotFound())
