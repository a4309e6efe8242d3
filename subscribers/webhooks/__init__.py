"""The parts of the sender of webhooks."""
