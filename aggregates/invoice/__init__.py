"""What a customer owes for a period, and the tries to collect it."""
