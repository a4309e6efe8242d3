"""Paths as clients write them, and one table of what both apps serve (design 3, 13)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fastapi import FastAPI, Request
from starlette.routing import BaseRoute, Match, Route
from starlette.types import ASGIApp, Receive, Scope, Send


PREFIX = "/api/v1"


class TrailingSlash:
    """Serves a path with and without its trailing slash, without a redirect (wire 1)."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an app whose paths all end in a slash."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add the slash to API paths."""
        if scope["type"] == "http":
            path: str = scope["path"]
            if path.startswith(PREFIX) and not path.endswith("/"):
                scope = {**scope, "path": f"{path}/"}
        await self._app(scope, receive, send)


@dataclass(frozen=True, slots=True)
class RouteTable:
    """Every route of the core API, whichever app serves it."""

    routes: tuple[Route, ...]

    @classmethod
    def of(cls, *apps: FastAPI) -> RouteTable:
        """Collect the routes of some apps."""
        return cls(tuple(_routes(route for app in apps for route in app.routes)))

    def allowed(self, path: str) -> Sequence[str]:
        """The methods that some route serves under this path."""
        methods: set[str] = set()
        for route in self.routes:
            scope: Scope = {"type": "http", "path": path, "method": "GET", "root_path": ""}
            if route.matches(scope)[0] is not Match.NONE:
                methods |= route.methods or set()
        return sorted(methods)


def _routes(routes: Iterable[BaseRoute]) -> Iterable[Route]:
    for route in routes:
        if isinstance(route, Route) and route.path.startswith(PREFIX):
            yield route
        else:
            yield from _routes(getattr(route, "routes", None) or ())


def allowed_methods(request: Request) -> Sequence[str]:
    """The methods under the path of a request, from the table that the app was given."""
    table: RouteTable | None = getattr(request.app.state, "route_table", None)
    return () if table is None else table.allowed(request.url.path)
