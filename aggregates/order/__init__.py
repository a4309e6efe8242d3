"""A purchase: what was bought, and whether it came about."""
