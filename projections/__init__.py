"""The views: one module per view, with its tables, its writers and its queries."""
