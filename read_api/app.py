"""The read API as an ASGI app."""

from __future__ import annotations

from collections.abc import Sequence

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


def create_app(
    reader: Reader, keys: Keys, log: EventStore, feed: Feed, typesetter: Typesetter
) -> FastAPI:
    """All queries over HTTP; ``log`` and ``feed`` answer what no view keeps."""
    app = FastAPI(title="billstream", version="1.0.0", docs_url=None, redoc_url=None)
    app.state.reader = reader
    app.state.keys = keys
    app.state.log = log
    app.state.feed = feed
    app.state.typesetter = typesetter
    errors.install(app)
    app.add_middleware(Guard)
    app.add_middleware(LicensesFromAnyOrigin)
    for router in ROUTERS:
        app.include_router(router, prefix=PREFIX)
    return app
