"""Webhook bodies: snake_case, one object each (wire 27)."""
