"""The text of a license key: one stream per key, which names its license."""
