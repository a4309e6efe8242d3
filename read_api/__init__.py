"""Queries over HTTP: the core read API and the edge API."""
