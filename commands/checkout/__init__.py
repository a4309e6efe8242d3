"""Commands about checkout sessions: a buyer on the way to a purchase (wire 16)."""
