"""The edge API as an ASGI app: what browsers and devices ask, from views alone (design 3).

Its routes are plain ones, since they are asked most of all and have little to validate; each
documents itself for OpenAPI.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import Route, Router

from projections.entitlements import Grants
from projections.reader import Reader
from read_api import entitlements, license_validation, promotions
from wire.http import errors
from wire.http.caller import Keys
from wire.http.cors import ANY_ORIGIN
from wire.http.guard import Guard
from wire.http.routes import PREFIX, RouteTable


ROUTES: Sequence[Route] = (entitlements.route, license_validation.route, promotions.route)
PATHS: Mapping[str, Any] = {
    **entitlements.PATHS,
    **license_validation.PATHS,
    **promotions.PATHS,
}
"""What OpenAPI says about the routes."""


def create_app(reader: Reader, keys: Keys) -> Starlette:
    """Queries for clients that hold a client key; any origin may ask, without credentials."""
    routes = [
        Route(f"{PREFIX}{route.path}", route.endpoint, methods=list(route.methods or ()))
        for route in ROUTES
    ]
    any_origin = Middleware(CORSMiddleware, **ANY_ORIGIN)
    app = Starlette(routes=routes, middleware=[any_origin, Middleware(Guard)])
    app.state.reader = reader
    app.state.keys = keys
    app.state.grants = Grants(reader)
    app.state.route_table = RouteTable.of(Router(ROUTES))
    errors.install(app)
    return app
