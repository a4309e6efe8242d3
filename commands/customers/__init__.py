"""Commands about customers."""
