"""Queries about saved payment methods (wire 15)."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from projections.payment_methods import LISTED, PAYMENT_METHODS, of_customer, of_email
from read_api.query import ServerList


router = APIRouter(prefix="/payment-methods", tags=["Payment methods"])

Filter = Annotated[str | None, Query(max_length=255, pattern=r"^[^\x00]*$")]


@router.get("/")
async def listed(
    query: ServerList, customer_id: Filter = None, customer_email: Filter = None
) -> Response:
    """The methods that can be charged, newest first; both filters may be given."""
    conditions = []
    if customer_id is not None:
        conditions.append(of_customer(query.natural_id("customer", customer_id)))
    if customer_email is not None:
        conditions.append(of_email(query.tenant.organization, customer_email))
    return await query.page(PAYMENT_METHODS, *conditions, buckets=LISTED)
