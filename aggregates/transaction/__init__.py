"""Money that moved or was meant to, with what it cost."""
