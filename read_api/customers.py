"""Queries about customers (spec: Other endpoints, wire 17)."""

from __future__ import annotations

from fastapi import APIRouter, Response

from projections.customers import CUSTOMERS, matching
from read_api.query import ServerList, ServerQuery
from wire.customer import CustomerOut
from wire.http import pages
from wire.http.documented import Page, gives


router = APIRouter(prefix="/customers", tags=["Customers"])


@router.get("/", responses=gives(Page[CustomerOut]))
async def listed(query: ServerList, search: pages.Search = None) -> Response:
    """All customers that are not archived, newest first."""
    conditions = (matching(search),) if search else ()
    return await query.page(
        CUSTOMERS, *conditions, sizes=pages.CUSTOMERS, buckets={"archived": ["false"]}
    )


@router.get("/{customer_id:path}/", responses=gives(CustomerOut))
async def one(customer_id: str, query: ServerQuery) -> Response:
    """One customer by the merchant's id."""
    return await query.one(CUSTOMERS, query.natural_id("customer", customer_id))
