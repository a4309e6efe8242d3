"""What clients, workers and timers can ask the engine to do: one module per command."""
