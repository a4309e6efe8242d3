"""What an address serves beside the API: its documentation, and a sign of life."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from app import api_docs
from wire.http.routes import PREFIX


class Front:
    """The API under its prefix, everything else beside it."""

    def __init__(self, api: ASGIApp, beside: ASGIApp) -> None:
        """Take both."""
        self._api = api
        self._beside = beside

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Choose by path."""
        path: str = scope.get("path", "")
        inside = path.startswith(f"{PREFIX}/")
        await (self._api if inside else self._beside)(scope, receive, send)


def beside(document: Callable[[], dict[str, Any]]) -> ASGIApp:
    """Interactive documentation at ``/docs``, the document it shows, and ``/health/``.

    The document is made when it is first asked for: a third of a second that no start waits for.
    """

    async def health(request: Request) -> Response:
        del request
        return JSONResponse({"status": "ok"})

    async def unknown(request: Request, error: Exception) -> Response:
        del request, error
        return JSONResponse({"detail": "Not found.", "code": "not_found"}, 404)

    routes = [
        *api_docs.routes(functools.cache(document)),
        Route("/health", health),
        Route("/health/", health),
    ]
    return Starlette(routes=routes, exception_handlers={404: unknown})
