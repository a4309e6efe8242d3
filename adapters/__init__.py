"""The only folder that knows vendors."""
