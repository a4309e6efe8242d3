"""Guarded calls to addresses that merchants chose."""
