"""Offerings, pricing tables and promotions as clients write and read them (wire 5, 23)."""
