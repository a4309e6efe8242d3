"""What the commands that bill have in common: whom, what, and how it is collected."""
