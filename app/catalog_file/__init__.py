"""Pricing as code: a price list in a file, compared with the catalog and applied to it."""
