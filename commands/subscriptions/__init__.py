"""Commands about subscriptions."""
