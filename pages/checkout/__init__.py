"""The page on which somebody buys."""
