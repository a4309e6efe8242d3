"""A plan: versions of words, prices and entitlements, as drafts and as published."""
