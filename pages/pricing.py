"""Pricing pages: hosted, as JSON, and as a table that a merchant's own page embeds (design 12).

They need no key and never show a customer; where the visitor is comes from the address.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from kernel.errors import NotFound
from kernel.tenant import Environment, Tenant
from pages.look import Look, look_of
from pages.price_cards import Cards, Link, cards_of
from pages.price_look import is_colored, rules_of
from pages.rendering import STATIC, TEMPLATES, page
from pages.surroundings import PageServices
from projections.price_lists import PriceList, Viewer, organization_of, public_offering
from wire.http.visitors import visitors_of


SHEET = STATIC / "pricing.css"
SCRIPT = STATIC / "embed.js"
NOTHING = "There is no such offering."
LONGEST_ID = 255
FOR_ALL = {
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "X-Content-Type-Options": "nosniff",
}
"""Any page may read these, without credentials: they hold nothing but what is public."""

FRESH = {**FOR_ALL, "Cache-Control": "private, max-age=60"}
"""For a minute, and for one visitor: another one may be elsewhere."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One request for an offering that is shown."""

    request: Request
    tenant: Tenant
    services: PageServices
    offering: UUID
    found: PriceList

    @property
    def body(self) -> Mapping[str, Any]:
        """The offering as its JSON says it, amounts as exact decimals."""
        content: Mapping[str, Any] = json.loads(
            msgspec.json.encode(self.found.body), parse_float=Decimal
        )
        return content

    def link(self, base: str = "") -> Link:
        """Where plans are bought: the product's static link, which knows offering and customer."""
        products = {plan.identifier: plan.product for plan in self.found.plans}
        customer = self.request.query_params.get("customer_id", "")
        handed_on = {"customer_id": customer} if 0 < len(customer) <= LONGEST_ID else {}
        sandbox = self.tenant.environment is Environment.SANDBOX

        def of(plan: str, period: str) -> str:
            query = {
                "plan_identifier": plan,
                "charge_period": period,
                "offering_id": str(self.offering),
                **handed_on,
            }
            path = f"{'/sandbox' if sandbox else ''}/buy/{products[plan]}/"
            return f"{base}{path}?{urlencode(query)}"

        return of


async def hosted(request: Request) -> Response:
    """The page; ``?period=`` says with which period to begin, ``?customer_id=`` who buys."""
    visit = await _visit(request)
    body, look = visit.body, await look_of(request, visit.services, visit.tenant)
    colors = rules_of(body["pricingTable"])
    values = {
        "name": body["name"],
        "description": body["description"],
        "colored": is_colored(body["pricingTable"]),
        "colors": _colors_path(visit.offering, colors) if colors else "",
        "shown": _cards(visit, body, look),
    }
    return page(look, "pricing.html", values)


Endpoint = Callable[[Request], Awaitable[Response]]


def open_to_all(endpoint: Endpoint) -> Endpoint:
    """Let pages of other origins read why there is nothing, too."""

    async def answered(request: Request) -> Response:
        try:
            return await endpoint(request)
        except NotFound:
            body = msgspec.json.encode({"status": "not_found", "message": NOTHING})
            return Response(body, 404, FOR_ALL, media_type="application/json")

    return answered


@open_to_all
async def as_json(request: Request) -> Response:
    """The public offering, for whoever draws a table of their own."""
    visit = await _visit(request)
    return Response(
        msgspec.json.encode(visit.found.body), media_type="application/json", headers=FRESH
    )


async def colors(request: Request) -> Response:
    """What the merchant chose for the look of the table."""
    visit = await _visit(request)
    rules = rules_of(visit.body["pricingTable"])
    cached = {"Cache-Control": "public, max-age=300", "X-Content-Type-Options": "nosniff"}
    return Response(rules, media_type="text/css", headers=cached)


@open_to_all
async def table(request: Request) -> Response:
    """The table as markup and rules, for the script that embeds it."""
    visit = await _visit(request)
    body, look = visit.body, await look_of(request, visit.services, visit.tenant)
    html = TEMPLATES.get_template("pricing_table.html").render(
        t=look.language.say,
        shown=_cards(visit, body, look, visit.services.reader.base_url),
        colored=is_colored(body["pricingTable"]),
    )
    css = SHEET.read_text("utf-8") + rules_of(body["pricingTable"])
    language = str(look.language.locale).replace("_", "-")
    content = msgspec.json.encode({"html": html, "css": css, "language": language})
    return Response(content, media_type="application/json", headers=FRESH)


async def script(request: Request) -> Response:
    """The script of one line."""
    del request
    return FileResponse(
        SCRIPT,
        media_type="text/javascript",
        headers={**FOR_ALL, "Cache-Control": "public, max-age=3600"},
    )


ROUTES = [
    Route("/pricing/embed.js", script),
    Route("/pricing/{offering}.json", as_json),
    Route("/pricing/{offering}.css", colors),
    Route("/pricing/{offering}/table.json", table),
    Route("/pricing/{offering}", hosted),
    Route("/pricing/{offering}/", hosted),
]


async def _visit(request: Request) -> Visit:
    services: PageServices = request.app.state.services
    try:
        offering = UUID(request.path_params["offering"])
    except ValueError:
        raise NotFound from None
    organization = await organization_of(services.reader, offering)
    if organization is None:
        raise NotFound
    tenant = await services.tenants.get(organization)
    viewer = Viewer(country=visitors_of(request).country_of(request))
    found = await public_offering(services.reader, tenant, offering, viewer)
    if found is None:
        raise NotFound
    return Visit(request, tenant, services, offering, found)


def _cards(visit: Visit, body: Mapping[str, Any], look: Look, base: str = "") -> Cards:
    wanted = visit.request.query_params.get("period", "").upper()
    return cards_of(body, look.language, visit.link(base), wanted)


def _colors_path(offering: UUID, rules: str) -> str:
    digest = hashlib.sha256(rules.encode()).hexdigest()[:12]
    return f"/pricing/{offering}.css?v={digest}"
