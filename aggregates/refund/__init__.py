"""Money given back: one refund of one order."""
