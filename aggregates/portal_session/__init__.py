"""A customer signed in to the portal of a merchant."""
