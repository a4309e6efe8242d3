"""A webhook receiver that believes nothing: it checks every signature and every order."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from standardwebhooks import Webhook


class Inbox:
    """What one endpoint was told, by event id; the same event may come twice."""

    def __init__(self, scheme: str) -> None:
        """``scheme`` is STANDARD or HEX; the secret follows once the endpoint exists."""
        self.scheme = scheme
        self.secret = ""
        self.events: dict[str, dict[str, Any]] = {}
        self.refused: list[str] = []
        self._lock = threading.Lock()

    def take(self, body: bytes, headers: dict[str, str]) -> bool:
        """Verify and keep one delivery."""
        try:
            self._verify(body, headers)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with it, it is refused
            with self._lock:
                self.refused.append(f"{type(error).__name__}: {error}")
            return False
        event = json.loads(body)
        with self._lock:
            self.events.setdefault(event["id"], event)
        return True

    def _verify(self, body: bytes, headers: dict[str, str]) -> None:
        if self.scheme == "STANDARD":
            Webhook(self.secret).verify(body, headers)
            return
        identity, stamp = headers["webhook-id"], headers["webhook-timestamp"]
        signed = f"{identity}.{stamp}.".encode() + body
        digest = hmac.new(self.secret.encode(), signed, hashlib.sha256).hexdigest()
        if not hmac.compare_digest(headers["webhook-signature"], f"v1,{digest}"):
            raise ValueError("the signature does not fit")

    def by_customer(self, kind: str) -> dict[str, list[dict[str, Any]]]:
        """The objects of one kind of event, by the merchant's customer id, in order of arrival."""
        found: dict[str, list[dict[str, Any]]] = defaultdict(list)
        with self._lock:
            events = list(self.events.values())
        for event in events:
            if event["type"] == kind:
                body = event["data"]["object"]
                found[body["customer"]["customer_id"]].append(body)
        return found

    def count(self, kind: str) -> int:
        """How many different events of a kind arrived."""
        with self._lock:
            return sum(event["type"] == kind for event in self.events.values())


class Receiver:
    """Listens on loopback; one path per inbox."""

    def __init__(self) -> None:
        """Start listening at once."""
        self.inboxes = {"standard": Inbox("STANDARD"), "hex": Inbox("HEX")}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def url(self, name: str) -> str:
        """Where an inbox is delivered to."""
        return f"http://127.0.0.1:{self._server.server_port}/{name}"

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        inboxes = self.inboxes

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                fine = inboxes[self.path.strip("/")].take(body, headers)
                self.send_response(204 if fine else 400)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        return Handler
