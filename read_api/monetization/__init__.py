"""Queries about offerings, pricing tables and promotions (spec: Public offering, wire 5)."""

from read_api.monetization import offerings, pricing_tables, promotions


ROUTERS = (offerings.router, pricing_tables.router, promotions.router)
