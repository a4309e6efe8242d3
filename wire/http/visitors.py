"""Where a visitor is, and what it is: from its address, or from what a proxy says of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from kernel.ports.countries import Countries


_COUNTRY = re.compile(r"[A-Za-z]{2}")
_UNKNOWN = frozenset({"XX", "T1", "ZZ"})
"""What proxies say when they do not know."""

_CRAWLER = re.compile(
    r"bot\b|bot/|crawl|spider|slurp|facebookexternalhit|headless|curl/|wget/|python-|go-http|java/",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Visitors:
    """``header`` names the header in which a trusted proxy puts the visitor's country, if any."""

    countries: Countries
    header: str | None = None

    def country_of(self, request: Request) -> str | None:
        """The visitor's country, two letters; None when it is not known."""
        if self.header is not None:
            said = request.headers.get(self.header, "")
            known = _COUNTRY.fullmatch(said) and said.upper() not in _UNKNOWN
            return said.upper() if known else None
        return None if request.client is None else self.countries.of(request.client.host)


def is_crawler(request: Request) -> bool:
    """Whether a machine says that it is one; a browser always names itself."""
    agent = request.headers.get("user-agent", "")
    return not agent or _CRAWLER.search(agent) is not None


def visitors_of(request: Request) -> Visitors:
    """The visitors of the app that serves the request."""
    state: Any = request.app.state
    visitors: Visitors = state.visitors
    return visitors
