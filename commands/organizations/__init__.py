"""Commands about organizations."""
