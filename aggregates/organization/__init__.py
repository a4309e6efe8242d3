"""A tenant: whose customers, catalog and money it is."""
