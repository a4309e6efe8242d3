"""The read API as an ASGI app."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fastapi import APIRouter, FastAPI

from kernel.ports.event_store import EventStore
from kernel.ports.typesetting import Typesetter
from projections.reader import Reader
from read_api import (
    api_keys,
    balances,
    catalog,
    checkouts,
    customers,
    discounts,
    events,
    invoices,
    licenses,
    monetization,
    orders,
    organizations,
    payment_methods,
    refunds,
    retention,
    subscriptions,
    test_clocks,
    transactions,
    webhook_endpoints,
    webhook_logs,
)
from read_api.downloads import Downloads
from read_api.feed import Feed
from wire.http import errors
from wire.http.caller import Keys
from wire.http.cors import LicensesFromAnyOrigin
from wire.http.guard import Guard
from wire.http.routes import PREFIX


ROUTERS: Sequence[APIRouter] = (
    balances.router,
    customers.router,
    discounts.router,
    events.router,
    subscriptions.router,
    retention.router,
    invoices.router,
    orders.router,
    checkouts.router,
    transactions.router,
    test_clocks.router,
    webhook_endpoints.router,
    webhook_logs.router,
    *catalog.ROUTERS,
    *monetization.ROUTERS,
    organizations.router,
    api_keys.router,
    payment_methods.router,
    refunds.router,
    licenses.router,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadServices:
    """What the read API works with; ``log`` and ``feed`` answer what no view keeps."""

    reader: Reader
    log: EventStore
    feed: Feed
    typesetter: Typesetter
    downloads: Downloads


def create_app(services: ReadServices, keys: Keys) -> FastAPI:
    """All queries over HTTP."""
    app = FastAPI(title="billstream", version="1.0.0", docs_url=None, redoc_url=None)
    app.state.keys = keys
    app.state.reader = services.reader
    app.state.log = services.log
    app.state.feed = services.feed
    app.state.typesetter = services.typesetter
    app.state.downloads = services.downloads
    errors.install(app)
    app.add_middleware(Guard)
    app.add_middleware(LicensesFromAnyOrigin)
    for router in ROUTERS:
        app.include_router(router, prefix=PREFIX)
    return app
