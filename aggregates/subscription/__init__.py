"""A customer's contract: what recurs, since when and until when."""
