"""The keys that callers of an organization present (spec: Authentication, design 12)."""
