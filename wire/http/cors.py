"""Browsers of any origin may call what a client key opens (design 12)."""

from __future__ import annotations

from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp


def for_browsers(app: ASGIApp) -> ASGIApp:
    """The app, open to any origin without credentials. Only the edge and license endpoints."""
    return CORSMiddleware(
        app,
        allow_origins=["*"],
        allow_methods=["GET", "POST"],
        allow_headers=["Authorization", "Content-Type", "Idempotency-Key", "Billstream-Position"],
        expose_headers=["Billstream-Position", "Retry-After"],
        max_age=86_400,
    )
