"""What pricing pages show (spec: Public offering, wire 5)."""

from __future__ import annotations

import ipaddress
from typing import Annotated
from uuid import UUID

import msgspec
from fastapi import APIRouter, Depends, Response
from fastapi import Query as Parameter

from kernel.errors import InvalidFields
from kernel.interval import ChargePeriod
from projections.price_lists import Viewer, product_offering, public_offering, viewer_of
from read_api.query import Query, ServerQuery
from wire.catalog.fields import QUARTERLY
from wire.http import filters
from wire.http.documented import gives
from wire.http.visitors import visitors_of
from wire.monetization.documented import ProductOfferingOut, PublicOfferingOut


router = APIRouter(prefix="/monetization", tags=["Monetization"])
PERIODS = [*ChargePeriod, QUARTERLY]

CountryCode = Annotated[
    str | None,
    Parameter(pattern="^[A-Za-z]{2}$", description="Where the prices are for; wins over the rest."),
]
IpAddress = Annotated[
    str | None,
    Parameter(max_length=64, description="Whose country counts where no billing address says it."),
]


async def _viewer(
    query: ServerQuery,
    customer_id: filters.CustomerId = None,
    ip_address: IpAddress = None,
    country_code: CountryCode = None,
) -> Viewer:
    """Where: what the request says, else the billing address of the customer, else the address."""
    customer = query.natural_id("customer", customer_id) if customer_id else None
    located = _country_of(query, ip_address)
    viewer = await viewer_of(query.reader, query.tenant, customer, located)
    return Viewer(country=(country_code or "").upper() or viewer.country, customer=viewer.customer)


Looking = Annotated[Viewer, Depends(_viewer)]


@router.get("/public-offering/{offering_id}/", responses=gives(PublicOfferingOut))
async def public(offering_id: str, query: ServerQuery, viewer: Looking) -> Response:
    """An active offering as its public sees it; ``customer_id`` tells what they have already."""
    key = _uuid(offering_id)
    found = key and await public_offering(query.reader, query.tenant, key, viewer)
    return _missing("There is no such offering.") if not found else _json(found.body)


@router.get("/product-offering/{product_id}/", responses=gives(ProductOfferingOut))
async def product(
    product_id: str,
    query: ServerQuery,
    viewer: Looking,
    plans_enabled: filters.Words = None,
    billing_periods_enabled: filters.Words = None,
) -> Response:
    """The plans on sale of a product, for whoever looks."""
    key = _uuid(product_id)
    found = key and await product_offering(
        query.reader,
        query.tenant,
        key,
        viewer,
        plans_enabled=_plans(plans_enabled),
        periods=_periods(billing_periods_enabled),
    )
    return _missing("There is no such product.") if not found else _json(found)


def _country_of(query: Query, address: str | None) -> str | None:
    if not address:
        return None
    try:
        ipaddress.ip_address(address)
    except ValueError:
        raise InvalidFields({"ip_address": ["Enter an IPv4 or IPv6 address."]}) from None
    return visitors_of(query.request).countries.of(address)


def _plans(text: str | None) -> set[str] | None:
    return {word.strip() for word in text.split(",") if word.strip()} if text else None


def _periods(text: str | None) -> set[ChargePeriod] | None:
    """Case does not matter; QUARTERLY is another word for THREE_MONTHS. Raises InvalidFields."""
    words = filters.words((text or "").upper(), PERIODS, "billing_periods_enabled")
    quarter = ChargePeriod.THREE_MONTHS
    return {quarter if word == QUARTERLY else ChargePeriod(word) for word in words} or None


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _json(body: object) -> Response:
    return Response(msgspec.json.encode(body), media_type="application/json")


def _missing(message: str) -> Response:
    """404 in the words of these two endpoints (wire 5.2)."""
    body = msgspec.json.encode({"status": "not_found", "message": message})
    return Response(body, 404, media_type="application/json")
