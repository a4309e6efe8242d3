"""Makes pages of templates: everything escaped, nothing from elsewhere, nothing kept."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse, Response

from pages.language import NAMES, PARAMETER
from pages.look import Look
from pages.policy import Policy


FOLDER = Path(__file__).parent
STATIC = FOLDER / "static"


@cache
def static(name: str) -> str:
    """The address of a file in ``static``; another content has another address."""
    digest = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]
    return f"/pages/{name}?v={digest}"


TEMPLATES = Environment(
    loader=FileSystemLoader(FOLDER / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
TEMPLATES.globals["static"] = static


def page(
    look: Look,
    template: str,
    values: Mapping[str, Any],
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    scripts: Sequence[str] = (),
) -> Response:
    """A page. ``scripts`` are files in ``static``; a page without one may run none."""
    language = look.language
    html = fragment(
        look,
        template,
        {
            "lang": str(language.locale).replace("_", "-"),
            "direction": language.locale.text_direction,
            "languages": _languages(look),
            "brand": look.brand,
            "sandbox": look.sandbox,
            "scripts": scripts,
            **values,
        },
    )
    policy = Policy(
        scripted=bool(scripts),
        pictures=look.picture_origins,
    )
    return HTMLResponse(html, status, {**policy.headers, **(headers or {})})


def fragment(look: Look, template: str, values: Mapping[str, Any]) -> str:
    """A part of a page, or a whole one, as text."""
    language = look.language
    spoken = {"t": language.say, "tn": language.count_of, "speaks": language}
    return TEMPLATES.get_template(template).render({**spoken, **values})


def notice(
    look: Look,
    status: int,
    title: str,
    text: str,
    *,
    headers: Mapping[str, str] | None = None,
    again: str | None = None,
) -> Response:
    """A page that only says something; ``again`` is an address of ours to begin anew at."""
    values = {"title": title, "text": text, "again": again}
    return page(look, "notice.html", values, status=status, headers=headers)


def _languages(look: Look) -> list[tuple[str, str, str, bool]]:
    """Tag, name and address of each language; whether it is the present one."""
    present, request = look.language.locale.language, look.request
    kept = [pair for pair in request.query_params.multi_items() if pair[0] != PARAMETER]
    return [
        (
            tag,
            name,
            f"{request.url.path}?{urlencode([*kept, (PARAMETER, tag)])}",
            tag == present,
        )
        for tag, name in NAMES.items()
    ]
