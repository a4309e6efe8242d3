"""Everything that must stay true."""
