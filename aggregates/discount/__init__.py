"""A code that makes subscriptions cheaper, with its limits (design 13)."""
