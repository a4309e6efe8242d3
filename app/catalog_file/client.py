"""The core API as a plain HTTP client sees it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from http.client import HTTPException
from typing import Any, Protocol
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from adapters.cannot_start import CannotStart


TIMEOUT_SECONDS = 30
PAGE_SIZE = 100


class Api(Protocol):
    """Where a catalog is read and written."""

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """The answer's content; None when there is none. Raises CannotStart."""


class HttpApi:
    """A running core API; paths are relative to ``/api/v1``."""

    def __init__(self, url: str, key: str) -> None:
        """``url`` with or without ``/api/v1``."""
        self._base = url.rstrip("/").removesuffix("/api/v1") + "/api/v1"
        self._key = key

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """One request. Raises CannotStart with what the API said."""
        request = Request(  # noqa: S310 an operator names the address
            self._base + path,
            data=None if body is None else json.dumps(body, default=_number).encode(),
            headers={
                "Authorization": f"Bearer {self._key}",
                "Content-Type": "application/json",
                "Accept": "application/json",
            },
            method=method,
        )
        try:
            with urlopen(request, timeout=TIMEOUT_SECONDS) as answer:  # noqa: S310 as above
                text = answer.read()
        except HTTPError as refusal:
            with refusal:
                said = refusal.read().decode(errors="replace")
            raise CannotStart(f"{method} {path}: {refusal.code} {said}") from None
        except (URLError, OSError, HTTPException) as error:
            raise CannotStart(f"{self._base} does not answer: {error}") from None
        return json.loads(text, parse_float=Decimal) if text else None


def _number(value: Any) -> Any:
    """Amounts travel as text, so that nothing is lost."""
    if isinstance(value, Decimal):
        return str(value)
    raise TypeError(f"{type(value).__name__} is no JSON")


def rows(api: Api, path: str, parameters: Mapping[str, Any] | None = None) -> Iterator[Any]:
    """Every row of a list, page by page."""
    page = 1
    while True:
        query = urlencode({**(parameters or {}), "page": page, "page_size": PAGE_SIZE})
        content = api.call("GET", f"{path}?{query}")
        yield from content["results"]
        if content["next"] is None:
            return
        page += 1
