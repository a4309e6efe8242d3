"""The OpenAPI documents: both halves of the core API as one, the edge API as another."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from fastapi import APIRouter, FastAPI

from wire.http.routes import PREFIX


ERROR = {
    "type": "object",
    "description": "Why the request was refused; `code` is stable, `detail` is for people.",
    "properties": {"detail": {"type": "string"}, "code": {"type": "string"}},
}
INVALID = {
    "description": "Field errors `{field: [messages]}`, or `{detail, code}`",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
}
REFUSED = {
    "description": "Refused: see `code`",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
}
BEARER = {
    "type": "http",
    "scheme": "bearer",
    "description": "A server key; where it says so, a client key.",
}


def of(routers: Iterable[APIRouter]) -> FastAPI:
    """An app that only describes some routes."""
    app = FastAPI()
    for router in routers:
        app.include_router(router, prefix=PREFIX)
    return app


def merged(title: str, *apps: FastAPI) -> dict[str, Any]:
    """One document for the apps that share an address."""
    paths: dict[str, dict[str, Any]] = {}
    schemas: dict[str, Any] = {}
    for app in apps:
        document = app.openapi()
        for path, found in operations(document.get("paths", {})).items():
            paths.setdefault(path, {}).update(found)
        schemas.update(document.get("components", {}).get("schemas", {}))
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": "1.0.0"},
        "paths": dict(sorted(paths.items())),
        "components": {
            "schemas": dict(sorted({**schemas, "Error": ERROR}.items())),
            "securitySchemes": {"key": BEARER},
        },
        "security": [{"key": []}],
    }


def operations(paths: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The operations of each path, with our error table."""
    return {
        path: {method: _operation(found) for method, found in methods.items()}
        for path, methods in paths.items()
    }


def _operation(found: dict[str, Any]) -> dict[str, Any]:
    """The same with our error table instead of the framework's 422."""
    responses = {status: body for status, body in found["responses"].items() if status != "422"}
    return {**found, "responses": {**responses, "400": INVALID, "4XX": REFUSED, "5XX": REFUSED}}


def text(document: dict[str, Any]) -> str:
    """As it is committed, so that differences show in review."""
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
