"""A buyer on the way to a purchase."""
