"""A product: what plans are sold under, with its tax code and its settings."""
