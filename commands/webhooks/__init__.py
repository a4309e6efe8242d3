"""What can be asked about webhook endpoints."""
