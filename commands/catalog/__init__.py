"""Commands about products, features and plans."""
