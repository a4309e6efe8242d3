"""What happens to the log's facts on their way to webhook endpoints."""
