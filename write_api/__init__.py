"""Commands over HTTP."""
