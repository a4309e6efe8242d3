"""A license: a key that is activated per instance (wire 3)."""
