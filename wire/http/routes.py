"""Paths as clients write them, and one table of what both apps serve (design 3, 13)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from fastapi import Request
from starlette.routing import Route, Router, compile_path
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
    """Every path pattern of an API with its methods, whichever app serves it."""

    routes: tuple[tuple[re.Pattern[str], frozenset[str]], ...]

    @classmethod
    def of(cls, *routers: Router) -> RouteTable:
        """Collect the routes of some routers."""
        routes = (route for router in routers for route in router.routes)
        return cls(
            tuple(
                (compile_path(f"{PREFIX}{route.path}")[0], frozenset(route.methods or ()))
                for route in routes
                if isinstance(route, Route)
            )
        )

    def allowed(self, path: str) -> Sequence[str]:
        """The methods that some route serves under this path."""
        served = (methods for pattern, methods in self.routes if pattern.match(path))
        return sorted(set[str]().union(*served))


def allowed_methods(request: Request) -> Sequence[str]:
    """The methods under the path of a request, from the table that the app was given."""
    table: RouteTable | None = getattr(request.app.state, "route_table", None)
    return () if table is None else table.allowed(request.url.path)
