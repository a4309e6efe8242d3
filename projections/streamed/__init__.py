"""Views kept from the event stream, by any number of processes and on any server (ADR 18)."""
