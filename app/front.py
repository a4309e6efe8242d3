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
from pages.app import PREFIXES as PAGES
from wire.http.routes import PREFIX


class Front:
    """The API under its prefix, hosted pages under theirs, everything else beside them."""

    def __init__(self, api: ASGIApp, beside: ASGIApp, pages: ASGIApp | None = None) -> None:
        """Take all that this address serves."""
        self._api = api
        self._beside = beside
        self._pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Choose by path."""
        path: str = scope.get("path", "")
        if path.startswith(f"{PREFIX}/"):
            await self._api(scope, receive, send)
        elif self._pages is not None and path.startswith(PAGES):
            await self._pages(scope, receive, send)
        else:
            await self._beside(scope, receive, send)


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
