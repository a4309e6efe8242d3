"""Queries about promotions (design 13)."""

from __future__ import annotations

from fastapi import APIRouter, Response

from kernel.errors import NotFound
from kernel.publication import Publication
from projections.promotions import PROMOTIONS
from projections.publications import with_status
from read_api.query import ServerList, ServerQuery
from wire.http import filters
from wire.http.documented import Page, gives
from wire.monetization.promotion import PromotionOut


router = APIRouter(prefix="/monetization/promotions", tags=["Monetization"])
STATUSES = [status.value for status in Publication]
IN_USE = [Publication.DRAFT.value, Publication.ACTIVE.value]


class PromotionNotFound(NotFound):
    """No such promotion."""

    code = "promotion_not_found"


@router.get("/", responses=gives(Page[PromotionOut]))
async def listed(query: ServerList, status: filters.Words = None) -> Response:
    """All promotions, newest first; archived ones only when ``status`` asks for them."""
    wanted = filters.words(status, STATUSES, "status") or IN_USE
    return await query.page(PROMOTIONS, with_status(wanted))


@router.get("/{promotion_id}/", responses=gives(PromotionOut))
async def one(promotion_id: str, query: ServerQuery) -> Response:
    """One promotion, also an archived one."""
    key = filters.uuid_of(promotion_id, PromotionNotFound())
    return await query.one(PROMOTIONS, key, refusal=PromotionNotFound())
