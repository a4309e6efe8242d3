"""Moves test clocks: everything that is due on the way happens with the clock standing there."""
