"""Queries about offerings, pricing tables and promotions (spec: Public offering, wire 5)."""

from read_api.monetization import offerings, price_lists, pricing_tables, promotions


ROUTERS = (price_lists.router, offerings.router, pricing_tables.router, promotions.router)
