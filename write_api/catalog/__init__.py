"""Writes about the catalog (wire 18)."""

from write_api.catalog import features, files, plan_entitlements, plans, products


ROUTERS = (
    products.router,
    features.router,
    plans.router,
    plan_entitlements.router,
    files.router,
)
