"""Makes pages of templates: everything escaped, nothing from elsewhere, nothing kept."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse, Response


FOLDER = Path(__file__).parent
_TEMPLATES = Environment(
    loader=FileSystemLoader(FOLDER / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self';"
        " base-uri 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
    "Cache-Control": "no-store",
}


def page(
    template: str,
    values: Mapping[str, Any],
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """A page; its address may be a secret, so nobody keeps it and no link tells it."""
    html = _TEMPLATES.get_template(template).render(values)
    return HTMLResponse(html, status, {**HEADERS, **(headers or {})})


def notice(
    status: int, title: str, text: str, headers: Mapping[str, str] | None = None
) -> Response:
    """A page that only says something."""
    return page("notice.html", {"title": title, "text": text}, status=status, headers=headers)
