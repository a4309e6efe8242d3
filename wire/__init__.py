"""The outside shapes, shared by both APIs and the webhook bodies."""
