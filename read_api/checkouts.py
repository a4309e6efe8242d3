"""Queries about checkout sessions and their timelines (wire 16.2)."""

from __future__ import annotations

from fastapi import APIRouter, Response

from kernel.errors import NotFound
from projections import checkout_events, checkouts
from read_api.query import ListQuery, Query, ServerList, ServerQuery
from wire.checkout_session import (
    CheckoutEventOut,
    CheckoutSessionDetailsOut,
    CheckoutSessionOut,
)
from wire.http import filters
from wire.http.documented import Page, gives
from wire.http.pages import Search


router = APIRouter(prefix="/checkout/sessions", tags=["Checkout"])


class CheckoutSessionNotFound(NotFound):
    """Checkout session not found."""

    code = "checkout_session_not_found"


@router.get("/", responses=gives(Page[CheckoutSessionOut]))
async def listed(
    query: ServerList,
    search: Search = None,
    status: filters.Words = None,
    start_date: filters.Day = None,
    end_date: filters.Day = None,
) -> Response:
    """All sessions, newest first; days are those of creation, both included."""
    chosen = filters.words(status, checkouts.STATUSES, "status")
    text = (checkouts.matching(search),) if search else ()
    days = checkouts.created_on(start_date, end_date)
    buckets = {"status": chosen} if chosen else {}
    return await query.page(checkouts.CHECKOUTS, *text, *days, buckets=buckets)


@router.get("/{session_id}/", responses=gives(CheckoutSessionDetailsOut))
async def one(session_id: str, query: ServerQuery) -> Response:
    """One session with the order, the subscription and the payment method that it led to."""
    refusal = CheckoutSessionNotFound()
    key = query.natural_id("checkout", session_id)
    return await query.one(checkouts.CHECKOUT_DETAILS, key, refusal=refusal)


@router.get("/{session_id}/events/", responses=gives(Page[CheckoutEventOut]))
async def events(session_id: str, query: ServerList) -> Response:
    """What happened to a session, newest first."""
    key = query.natural_id("checkout", session_id)
    await _require(query, session_id)
    return await query.page(checkout_events.CHECKOUT_EVENTS, checkout_events.of_session(key))


async def _require(query: Query | ListQuery, session_id: str) -> None:
    key = query.natural_id("checkout", session_id)
    if await query.reader.find(checkouts.CHECKOUTS, query.tenant, key) is None:
        raise CheckoutSessionNotFound
