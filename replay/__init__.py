"""Rebuilding, verifying and explaining what the log says."""
