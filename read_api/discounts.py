"""Queries about discounts (design 13)."""

from __future__ import annotations

from fastapi import APIRouter, Response

from kernel.errors import NotFound
from projections.discounts import ACTIVE, DISABLED, DISCOUNTS, EXPIRED, STATUSES, standing
from read_api.query import ServerList, ServerQuery
from wire.discount import DiscountOut
from wire.http import filters
from wire.http.documented import Page, gives


router = APIRouter(prefix="/discount", tags=["Discounts"])


class DiscountNotFound(NotFound):
    """No such discount."""

    code = "discount_not_found"


@router.get("/", responses=gives(Page[DiscountOut]))
async def listed(query: ServerList, status: filters.Words = None) -> Response:
    """All discounts, newest first; archived ones only when ``status`` asks for them."""
    wanted = filters.words(status, STATUSES, "status") or [ACTIVE, DISABLED, EXPIRED]
    return await query.page(DISCOUNTS, standing(wanted, query.reader.clock.now()))


@router.get("/{discount_id}/", responses=gives(DiscountOut))
async def one(discount_id: str, query: ServerQuery) -> Response:
    """One discount, also an archived one."""
    key = filters.uuid_of(discount_id, DiscountNotFound())
    return await query.one(DISCOUNTS, key, refusal=DiscountNotFound())
