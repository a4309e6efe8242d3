"""Commands about test clocks (sandbox only)."""
