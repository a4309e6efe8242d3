"""What a customer has in credit or debit, per currency."""
