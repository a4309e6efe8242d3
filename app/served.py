"""The apps of the production topology, each served by a process of its own."""

from __future__ import annotations

from collections.abc import Callable

from starlette.types import ASGIApp

from app import documents
from app.front import Front, beside
from app.wiring import Engine
from wire.http.routes import TrailingSlash


def _write_api(engine: Engine) -> ASGIApp:
    _, write = engine.core_apps(engine.keys)
    return Front(TrailingSlash(write), beside(documents.core))


def _read_api(engine: Engine) -> ASGIApp:
    read, _ = engine.core_apps(engine.keys)
    return Front(TrailingSlash(read), beside(documents.core))


def _edge_api(engine: Engine) -> ASGIApp:
    return Front(engine.edge_app(engine.keys), beside(documents.edge))


def _pages(engine: Engine) -> ASGIApp:
    around = beside(documents.core)
    return Front(around, around, engine.pages_app())


APPS: dict[str, Callable[[Engine], ASGIApp]] = {
    "write-api": _write_api,
    "read-api": _read_api,
    "edge-api": _edge_api,
    "pages": _pages,
}
