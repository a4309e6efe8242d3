"""The domain: one package per consistency boundary, none importing another."""
