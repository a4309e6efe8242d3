"""Queries about the catalog (wire 18)."""

from read_api.catalog import features, plans, products


ROUTERS = (products.router, features.router, plans.router)
