"""Queries about orders and their timelines (wire 13)."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Response

from aggregates.order.events import Status
from kernel.errors import NotFound
from kernel.sale import BillingType
from projections import order_events, orders
from projections.reader import Condition
from read_api.query import ServerList, ServerQuery
from wire.http import filters
from wire.http.documented import Page, gives
from wire.http.pages import Search
from wire.order import OrderEventOut, OrderOut


router = APIRouter(prefix="/orders", tags=["Orders"])


class OrderNotFound(NotFound):
    """Order not found."""

    code = "order_not_found"


async def buckets(
    status: filters.Words = None,
    billing_type: BillingType | None = None,
    *,
    is_renewal: bool | None = None,
) -> dict[str, list[str]]:
    """The filters whose counts are kept; who asks for pending orders finds none."""
    chosen = filters.words(status, (*orders.LISTED, Status.PENDING), "status")
    found = {"status": [each for each in chosen or orders.LISTED if each in orders.LISTED]}
    if billing_type is not None:
        found["billing_type"] = [billing_type.value]
    if is_renewal is not None:
        found["is_renewal"] = ["true" if is_renewal else "false"]
    return found


async def conditions(
    search: Search = None, start_date: filters.Day = None, end_date: filters.Day = None
) -> tuple[Condition, ...]:
    """Free text, and the days of payment, both included."""
    text = (orders.matching(search),) if search else ()
    return (*text, *orders.paid_on(start_date, end_date))


@router.get("/", responses=gives(Page[OrderOut]))
async def listed(
    query: ServerList,
    counted: Annotated[dict[str, list[str]], Depends(buckets)],
    narrowed: Annotated[tuple[Condition, ...], Depends(conditions)],
) -> Response:
    """All orders but pending ones, the newest paid first."""
    return await query.page(orders.ORDERS, *narrowed, buckets=counted)


@router.get("/{order_id}/", responses=gives(OrderOut))
async def one(order_id: str, query: ServerQuery) -> Response:
    """One order by its number, unless it is pending."""
    refusal = OrderNotFound()
    number = filters.number_of(order_id, refusal)
    return await query.first(orders.ORDERS, *orders.numbered(number), refusal=refusal)


@router.get("/{order_id}/events/", responses=gives(Page[OrderEventOut]))
async def events(order_id: str, query: ServerList) -> Response:
    """What happened to all orders of the same subscription, newest first."""
    number = filters.number_of(order_id, OrderNotFound())
    subscription = await order_events.subscription_of(query.reader, query.tenant, number)
    if subscription is None:
        raise OrderNotFound
    mine = order_events.of_subscription(subscription)
    return await query.page(order_events.ORDER_EVENTS, mine)
