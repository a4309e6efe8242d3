"""Queries about the catalog (wire 18)."""

from read_api.catalog import features, files, plans, products


ROUTERS = (products.router, features.router, plans.router, files.router)
