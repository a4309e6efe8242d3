"""Writes about offerings, pricing tables and promotions (design 13)."""

from write_api.monetization import offerings, pricing_tables, promotions


ROUTERS = (offerings.router, pricing_tables.router, promotions.router)
