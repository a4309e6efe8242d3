"""A promotion: a discount by the purchasing power of a country."""
