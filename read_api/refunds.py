"""Queries about refunds (wire 14)."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Response

from kernel.errors import NotFound
from projections import refunds
from projections.reader import Condition
from read_api.query import ServerList, ServerQuery
from wire.http import filters
from wire.http.documented import Page, gives
from wire.http.pages import Search
from wire.refund import RefundOut


router = APIRouter(prefix="/refunds", tags=["Refunds"])


class RefundNotFound(NotFound):
    """Refund not found."""

    code = "refund_not_found"


async def conditions(
    search: Search = None, start_date: filters.Day = None, end_date: filters.Day = None
) -> tuple[Condition, ...]:
    """Free text, and the days of creation, both included."""
    text = (refunds.matching(search),) if search else ()
    return (*text, *refunds.created_on(start_date, end_date))


@router.get("/", responses=gives(Page[RefundOut]))
async def listed(
    query: ServerList,
    narrowed: Annotated[tuple[Condition, ...], Depends(conditions)],
    status: filters.Words = None,
) -> Response:
    """All refunds, newest first, each with its order as it is now."""
    chosen = filters.words(status, refunds.STATUSES, "status")
    counted = {"status": chosen} if chosen else {}
    return await query.page(refunds.REFUNDS, *narrowed, buckets=counted)


@router.get("/{refund_id}/", responses=gives(RefundOut))
async def one(refund_id: str, query: ServerQuery) -> Response:
    """One refund."""
    refusal = RefundNotFound()
    key = filters.uuid_of(refund_id, refusal)
    return await query.one(refunds.REFUNDS, key, refusal=refusal)
