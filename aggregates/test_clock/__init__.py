"""A clock that stands until it is moved; customers may live on one (sandbox only)."""
