"""One address for two apps: queries go to the read API, all else to the write API (design 3)."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send


QUERIES = frozenset({"GET", "HEAD", "OPTIONS"})


class SplitByMethod:
    """Sends each request to the app that serves its method."""

    def __init__(self, *, read: ASGIApp, write: ASGIApp) -> None:
        """Take the two apps."""
        self._read = read
        self._write = write

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pick by method."""
        query = scope["type"] != "http" or scope["method"] in QUERIES
        await (self._read if query else self._write)(scope, receive, send)
