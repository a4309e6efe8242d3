"""Commands about saved payment methods."""
