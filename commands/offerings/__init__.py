"""Commands about offerings, pricing tables and promotions."""
