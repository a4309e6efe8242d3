"""Values and ports that everybody uses and that depend on nobody (standard library only)."""
