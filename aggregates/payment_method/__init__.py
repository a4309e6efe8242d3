"""The saved payment methods of a customer and which of them is charged by default (wire 15)."""
