"""The write API as an ASGI app."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import APIRouter, FastAPI

from wire.http import errors
from wire.http.caller import Keys
from wire.http.cors import LicensesFromAnyOrigin
from wire.http.guard import Guard
from wire.http.routes import PREFIX
from write_api import (
    api_keys,
    balances,
    catalog,
    charges,
    checkouts,
    customers,
    discounts,
    licenses,
    media,
    monetization,
    organizations,
    pauses,
    payment_methods,
    portal,
    refunds,
    reports,
    retention,
    subscription_changes,
    subscriptions,
    test_clocks,
    webhook_endpoints,
    webhook_logs,
)
from write_api.write import WriteServices


ROUTERS: Sequence[APIRouter] = (
    balances.router,
    customers.router,
    charges.router,
    checkouts.router,
    discounts.router,
    subscriptions.router,
    retention.router,
    pauses.router,
    subscription_changes.router,
    test_clocks.router,
    webhook_endpoints.router,
    webhook_logs.router,
    *catalog.ROUTERS,
    *monetization.ROUTERS,
    organizations.router,
    api_keys.router,
    payment_methods.router,
    portal.router,
    refunds.router,
    reports.router,
    licenses.router,
    licenses.merchant,
    media.router,
)


def create_app(services: WriteServices, keys: Keys) -> FastAPI:
    """All commands over HTTP."""
    app = FastAPI(title="billstream", version="1.0.0", docs_url=None, redoc_url=None)
    app.state.services = services
    app.state.keys = keys
    errors.install(app)
    app.add_middleware(Guard)
    app.add_middleware(LicensesFromAnyOrigin)
    for router in ROUTERS:
        app.include_router(router, prefix=PREFIX)
    return app
