"""Commands about one-time charges."""
