"""What the engine asks of the outside world, one Protocol per file."""
