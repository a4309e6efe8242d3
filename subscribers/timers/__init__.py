"""Turns what falls due into commands."""
