"""Entitlement checks at the edge (wire 21).

The check is a plain route: it is asked most of all, and there is nothing to validate but two query
parameters. ``PATHS`` documents it for OpenAPI.
"""

from __future__ import annotations

from typing import Any

import msgspec
from fastapi import Request, Response
from starlette.routing import Route

from kernel.errors import InvalidFields
from kernel.ids import natural_id
from projections.entitlements import Grants
from projections.reader import Reader
from read_api.query import wait_for_position
from wire.http.caller import any_caller
from wire.http.routes import PREFIX


async def entitlements(request: Request) -> Response:
    """What a customer may use. Raises InvalidFields, Unauthenticated.

    A customer nobody knows may use nothing: 200 and an empty list, as for one without subscription.
    """
    caller = await any_caller(request)
    query = request.query_params
    customer_id = query.get("customer_id") or query.get("customerId")
    if not customer_id:
        raise InvalidFields({"customer_id": ["This query parameter is required."]})
    reader: Reader = request.app.state.reader
    await wait_for_position(request, reader)
    customer = natural_id(caller.tenant.secret, "customer", customer_id)
    grants: Grants = request.app.state.grants
    feature = query.get("feature_id") or query.get("featureId")
    now = reader.clock.now()
    found = await grants.of(caller.tenant.organization, customer)
    items = [item for grant in found for item in grant.items(feature, now)]
    head = b'{"customerId":' + msgspec.json.encode(customer_id) + b',"entitlements":['
    return Response(head + b",".join(items) + b"]}", media_type="application/json")


route = Route("/entitlements/", entitlements, methods=["GET"])


def _parameter(name: str, about: str, *, required: bool) -> dict[str, Any]:
    schema = {"type": "string"}
    described = {"name": name, "in": "query", "required": required, "schema": schema}
    return {**described, "description": about}


_NULLABLE = {"type": ["integer", "null"]}
ENTITLEMENT = {
    "type": "object",
    "required": ["featureId", "featureType", "hasAccess"],
    "properties": {
        "featureId": {"type": "string"},
        "featureType": {"enum": ["METER", "BOOLEAN", "CUSTOMIZABLE"]},
        "hasAccess": {"type": "boolean"},
        "resetAt": {"type": ["string", "null"], "description": "YYYY-MM-DD HH:MM:SS, in UTC"},
        "hardLimit": {"type": ["boolean", "null"]},
        "usageLimit": {**_NULLABLE, "description": "null: unlimited"},
        "currentUsage": _NULLABLE,
        "remaining": _NULLABLE,
    },
}
PATHS: dict[str, Any] = {
    f"{PREFIX}/entitlements/": {
        "get": {
            "tags": ["Entitlements"],
            "summary": "What a customer may use",
            "description": (
                "One item per subscription and feature. A feature that is not granted is left out; "
                "an unknown customer has none. Takes a client key or a server key."
            ),
            "operationId": "entitlements",
            "parameters": [
                _parameter("customer_id", "The merchant's own id.", required=True),
                _parameter("feature_id", "Only this feature's identifier.", required=False),
            ],
            "responses": {
                "200": {
                    "description": "The entitlements",
                    "content": {
                        "application/json": {
                            "schema": {
                                "type": "object",
                                "required": ["customerId", "entitlements"],
                                "properties": {
                                    "customerId": {"type": "string"},
                                    "entitlements": {"type": "array", "items": ENTITLEMENT},
                                },
                            }
                        }
                    },
                }
            },
        }
    }
}
