"""Commands about discounts."""
