"""Queries about subscriptions (spec: Subscription list rules, wire 6, design 5)."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Response

from kernel.errors import InvalidFields, NotFound
from projections import subscriptions
from projections.reader import Condition
from read_api.query import ServerList, ServerQuery
from wire.http import filters
from wire.http.documented import Page, gives
from wire.subscription import SubscriptionOut


router = APIRouter(prefix="/subscriptions", tags=["Subscriptions"])


class SubscriptionNotFound(NotFound):
    """Subscription not found."""

    code = "subscription_not_found"


async def dates(
    modified_on_after: filters.Instant = None,
    modified_on_before: filters.Instant = None,
    start_date_after: filters.Day = None,
    start_date_before: filters.Day = None,
) -> tuple[Condition, ...]:
    """What the list is narrowed to in time; every bound is included."""
    return (
        *subscriptions.changed_between(modified_on_after, modified_on_before),
        *subscriptions.started_on(start_date_after, start_date_before),
    )


@router.get("/", responses=gives(Page[SubscriptionOut]))
async def listed(
    query: ServerList,
    narrowed: Annotated[tuple[Condition, ...], Depends(dates)],
    customer_id: filters.CustomerId = None,
    status: filters.Words = None,
) -> Response:
    """The subscriptions of one customer.

    Without ``status`` one row per subscription, its record in force. With it every record that
    matches, so that a subscription can appear more than once.
    """
    if not customer_id:
        raise InvalidFields({"customer_id": ["This query parameter is required."]})
    chosen = filters.words(status, subscriptions.STATUSES, "status")
    now = query.reader.clock.now()
    which = (subscriptions.with_status(chosen),) if chosen else subscriptions.in_force(now)
    owner = subscriptions.of_customer(query.natural_id("customer", customer_id))
    return await query.page(subscriptions.SUBSCRIPTIONS, owner, *which, *narrowed)


@router.get("/{subscription_id}/", responses=gives(SubscriptionOut))
async def one(subscription_id: str, query: ServerQuery) -> Response:
    """The record in force of one subscription, or its last one when it never came about."""
    refusal = SubscriptionNotFound()
    key = filters.uuid_of(subscription_id, refusal)
    return await query.one(subscriptions.SUBSCRIPTIONS, key, refusal)
