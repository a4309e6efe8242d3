"""Queries about transactions (wire 8)."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Response

from projections import transactions
from projections.reader import Condition
from read_api.query import ServerList
from wire.http import filters
from wire.http.documented import Page, gives
from wire.http.pages import Search
from wire.transaction import TransactionOut


router = APIRouter(prefix="/transaction", tags=["Transactions"])


async def conditions(
    search: Search = None, start_date: filters.Day = None, end_date: filters.Day = None
) -> tuple[Condition, ...]:
    """Free text, and the days of creation, both included."""
    text = (transactions.matching(search),) if search else ()
    return (*text, *transactions.created_on(start_date, end_date))


@router.get("/", responses=gives(Page[TransactionOut]))
async def listed(
    query: ServerList,
    narrowed: Annotated[tuple[Condition, ...], Depends(conditions)],
    status: filters.Words = None,
) -> Response:
    """All transactions, newest first, each with its order as it is now."""
    chosen = filters.words(status, transactions.STATUSES, "status")
    counted = {"status": chosen} if chosen else {}
    return await query.page(transactions.TRANSACTIONS, *narrowed, buckets=counted)
