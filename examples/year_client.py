"""A plain HTTP client: one connection per thread, JSON in and out, errors in words."""

from __future__ import annotations

import http.client
import json
import threading
import uuid
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlencode, urlsplit


class Refused(Exception):
    """The service said no."""


class Client:
    """Speaks to the core API with a server key."""

    def __init__(self, base_url: str, key: str) -> None:
        """``base_url`` ends in /api/v1."""
        self._base = urlsplit(base_url.rstrip("/"))
        self._key = key
        self._local = threading.local()
        self._connections: list[http.client.HTTPConnection] = []

    def close(self) -> None:
        """Hang up."""
        for connection in self._connections:
            connection.close()

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """Create something, or make something happen; safe to repeat."""
        return self._call("POST", path, body)

    def patch(self, path: str, body: dict[str, Any]) -> Any:
        """Change something."""
        return self._call("PATCH", path, body)

    def delete(self, path: str) -> None:
        """Take something away."""
        self._call("DELETE", path, None)

    def get(self, path: str, **query: Any) -> Any:
        """Read something."""
        return self._call("GET", f"{path}?{urlencode(query)}" if query else path)

    def every(self, path: str, **query: Any) -> Iterator[Any]:
        """All rows of a list, page by page."""
        page: int | None = 1
        while page:
            found = self.get(path, page=page, page_size=100, **query)
            yield from found["results"]
            page = page + 1 if found["next"] else None

    def _call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        headers = {"Authorization": f"Bearer {self._key}", "Accept": "application/json"}
        content = None
        if body is not None:
            content = json.dumps(body)
            headers |= {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
        connection = self._connection()
        connection.request(
            method, f"{self._base.path}{quote(path, safe='/?=&%-_.~')}", content, headers
        )
        response = connection.getresponse()
        text = response.read()
        if response.status >= 300:
            raise Refused(f"{method} {path}: {response.status} {text.decode()[:500]}")
        return json.loads(text) if text else None

    def _connection(self) -> http.client.HTTPConnection:
        if not hasattr(self._local, "connection"):
            kind = (
                http.client.HTTPSConnection
                if self._base.scheme == "https"
                else http.client.HTTPConnection
            )
            self._local.connection = kind(self._base.netloc, timeout=300)
            self._connections.append(self._local.connection)
        return self._local.connection
