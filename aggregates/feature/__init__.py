"""A feature: something that plans grant, on or off, as a number, or as metered units."""
