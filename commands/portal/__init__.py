"""What customers do in the portal, and how they get in."""
