"""Promotions at the edge: what a visitor is offered where they are (wire 23).

A plain route like that of entitlements; ``PATHS`` documents it for OpenAPI.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import Any
from uuid import UUID

import msgspec
from fastapi import Request, Response
from starlette.routing import Route

from kernel.errors import InvalidFields, NotFound
from kernel.ids import natural_id
from kernel.publication import Publication
from kernel.tenant import Tenant
from projections.discounts import ACTIVE, DISCOUNTS
from projections.promotions import PROMOTIONS
from projections.reader import Reader
from read_api.query import wait_for_position
from wire.http.caller import Caller, KeyKind, any_caller
from wire.http.routes import PREFIX
from wire.http.visitors import is_crawler, visitors_of
from wire.monetization.promoted import NOTHING, flagged, promoted_out, reduction_in


class PromotionNotFound(NotFound):
    """No such promotion."""

    code = "promotion_not_found"


_decode = msgspec.json.Decoder(dict[str, Any]).decode


async def promotions(request: Request) -> Response:
    """What a visitor is offered. Raises InvalidFields, PromotionNotFound, Unauthenticated."""
    caller = await any_caller(request)
    wanted = request.query_params.get("promotion_id")
    if not wanted:
        raise InvalidFields({"promotion_id": ["This query parameter is required."]})
    reader: Reader = request.app.state.reader
    await wait_for_position(request, reader)
    promotion = await _promotion(reader, caller.tenant, wanted)
    country = _country(request, caller)
    flags = flagged(is_crawler=caller.kind is KeyKind.CLIENT and is_crawler(request))
    offered = reduction_in(promotion, country, flags)
    if offered.code and not await _works(reader, caller.tenant, offered.code):
        offered = NOTHING
    body = promoted_out(promotion, country, offered, flags)
    return Response(msgspec.json.encode(body), media_type="application/json")


async def _promotion(reader: Reader, tenant: Tenant, wanted: str) -> Mapping[str, Any]:
    try:
        body = await reader.find(PROMOTIONS, tenant, UUID(wanted))
    except ValueError:
        raise PromotionNotFound from None
    promotion = {} if body is None else _decode(body)
    if promotion.get("status") != Publication.ACTIVE:
        raise PromotionNotFound
    return promotion


async def _works(reader: Reader, tenant: Tenant, code: str) -> bool:
    """Whether the discount code can be used at present."""
    stream = natural_id(tenant.secret, "discount", code.upper())
    body = await reader.find(DISCOUNTS, tenant, stream)
    return body is not None and _decode(body)["status"] == ACTIVE


def _country(request: Request, caller: Caller) -> str | None:
    """The caller's own; a server may ask for the address of its visitor. Raises InvalidFields."""
    visitors = visitors_of(request)
    address = request.query_params.get("ip_address")
    if not address or caller.kind is not KeyKind.SERVER:
        return visitors.country_of(request)
    try:
        ipaddress.ip_address(address)
    except ValueError:
        raise InvalidFields({"ip_address": ["Enter an IPv4 or IPv6 address."]}) from None
    return visitors.countries.of(address)


route = Route("/promotions/", promotions, methods=["GET"])

_FLAGS = ("vpn", "tor", "proxy", "relay", "crawler")
PROMOTED = {
    "type": "object",
    "required": ["country", "countryCode", "percentage", "code", "message", "widgets", "security"],
    "properties": {
        "country": {"type": "string", "description": "Its English name; empty: not known"},
        "countryCode": {"type": "string"},
        "percentage": {"type": "number", "description": "0: no discount"},
        "code": {"type": "string", "description": "The discount code"},
        "message": {"type": "string"},
        "widgets": {"type": "array", "items": {"type": "object"}},
        "security": {
            "type": "object",
            "properties": {flag: {"type": "boolean"} for flag in _FLAGS},
        },
    },
}
PATHS: dict[str, Any] = {
    f"{PREFIX}/promotions/": {
        "get": {
            "tags": ["Promotions"],
            "summary": "What a visitor is offered",
            "description": (
                "The discount for the country of the caller. Takes a client key, or a server key "
                "with the `ip_address` of a visitor."
            ),
            "operationId": "promotions",
            "parameters": [
                {
                    "name": "promotion_id",
                    "in": "query",
                    "required": True,
                    "schema": {"type": "string"},
                },
                {
                    "name": "ip_address",
                    "in": "query",
                    "required": False,
                    "schema": {"type": "string"},
                    "description": "Counts with a server key only.",
                },
            ],
            "responses": {
                "200": {
                    "description": "The promotion where the visitor is",
                    "content": {"application/json": {"schema": PROMOTED}},
                }
            },
        }
    }
}
