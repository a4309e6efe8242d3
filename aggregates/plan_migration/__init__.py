"""The move of all subscribers of a plan to a version that was published for them."""
