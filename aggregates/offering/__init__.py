"""An offering: what is shown to whom, at which price."""
