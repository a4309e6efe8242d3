"""The edge API as an ASGI app: what browsers and devices ask, from views alone (design 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.middleware.cors import CORSMiddleware

from projections.entitlements import Grants
from projections.reader import Reader
from read_api import entitlements
from wire.http import errors
from wire.http.caller import Keys
from wire.http.routes import PREFIX, RouteTable


ROUTERS: Sequence[APIRouter] = (entitlements.router,)
PATHS: Mapping[str, Any] = {**entitlements.PATHS}
"""OpenAPI of the plain routes, written by hand."""


def create_app(reader: Reader, keys: Keys) -> FastAPI:
    """Queries for clients that hold a client key; any origin may ask, without credentials."""
    app = FastAPI(title="billstream edge", version="1.0.0", docs_url=None, redoc_url=None)
    app.state.reader = reader
    app.state.keys = keys
    app.state.grants = Grants(reader)
    app.state.route_table = RouteTable.of(*ROUTERS)
    errors.install(app)
    app.add_middleware(
        CORSMiddleware,
        allow_origins=["*"],
        allow_methods=["GET", "POST"],
        allow_headers=["Authorization", "Content-Type", "Billstream-Position"],
        max_age=86_400,
    )
    for router in ROUTERS:
        app.include_router(router, prefix=PREFIX)
    return app
