"""The page that documents the API and lets readers try it: all its files come from here."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Route


DOCUMENT = "/openapi.json"
_FILES = Path(str(files("fastapi_offline"))) / "static"
_SHIPPED = ("swagger-ui-bundle.js", "swagger-ui.css", "favicon.png")
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';"
        " img-src 'self' data:; font-src 'self' data:; connect-src 'self';"
        " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
}
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="/docs/favicon.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
"""
_OPTIONS = {
    "url": DOCUMENT,
    "dom_id": "#swagger-ui",
    "deepLinking": True,
    "docExpansion": "none",
    "persistAuthorization": False,
    "validatorUrl": None,
}


def routes(document: Callable[[], dict[str, Any]]) -> list[Route]:
    """The page, what it loads, and the document it shows."""

    async def page(request: Request) -> Response:
        del request
        title = html.escape(document()["info"]["title"])
        return HTMLResponse(_PAGE.format(title=title), headers=_HEADERS)

    async def start(request: Request) -> Response:
        del request
        script = f"SwaggerUIBundle({json.dumps(_OPTIONS)});\n"
        return Response(script, media_type="text/javascript")

    async def openapi(request: Request) -> Response:
        del request
        return JSONResponse(document())

    return [
        Route("/docs", page),
        Route("/docs/", page),
        Route("/docs/start.js", start),
        *(Route(f"/docs/{name}", _shipped(name)) for name in _SHIPPED),
        Route(DOCUMENT, openapi),
    ]


def _shipped(name: str) -> Any:
    async def shipped(request: Request) -> Response:
        del request
        return FileResponse(_FILES / name, headers={"Cache-Control": "public, max-age=86400"})

    return shipped
