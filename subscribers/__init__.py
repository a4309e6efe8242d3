"""Long-running readers of the log, each named after what it causes."""
