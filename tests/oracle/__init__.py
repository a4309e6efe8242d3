"""A second implementation of the money rules, and random lives that both have to agree on."""
