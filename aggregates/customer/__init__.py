"""Who subscribes and pays."""
