"""Commands about licenses and the instances that use them."""
