"""Commands about API keys."""
