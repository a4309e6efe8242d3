"""What no request may be, looked at before anything else reads it (design 12, issue: Bad input)."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kernel.errors import Invalid, NotFound, Refused, TooLarge
from wire.http.errors import answer


MAX_BODY_BYTES = 1024 * 1024
DRAINED_BYTES = 16 * MAX_BODY_BYTES
"""So much of a body that is refused is still read, so that its sender gets to see the answer."""


class BodyTooLarge(TooLarge):
    """A request body has at most 1 MiB."""

    code = "body_too_large"


class NullCharacter(Invalid):
    """Null characters are not allowed."""

    code = "null_character"


class Guard:
    """Refuses bodies over the limit and NUL in addresses."""

    def __init__(self, app: ASGIApp, large: str | None = None) -> None:
        """Wrap the whole app; bodies sent to the path ``large`` have no limit here."""
        self._app = app
        self._large = large

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Look at head and, if its length is not announced, body."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = _refusal(scope)
        headers = Headers(scope=scope)
        if scope["path"] == self._large:
            refusal = None
        elif refusal is None and "transfer-encoding" in headers:
            body = await _read(receive)
            if body is None:
                refusal = BodyTooLarge()
            else:
                receive = _replayed(body, receive)
        elif isinstance(refusal, BodyTooLarge):
            await _drain(receive)
        if refusal is None:
            await self._app(scope, receive, send)
        else:
            await answer(refusal)(scope, receive, send)


def _refusal(scope: Scope) -> Refused | None:
    if "\x00" in scope["path"]:
        return NotFound()
    if b"%00" in scope["query_string"]:
        return NullCharacter()
    length = Headers(scope=scope).get("content-length", "0")
    if length.isdecimal() and int(length) > MAX_BODY_BYTES:
        return BodyTooLarge()
    return None


async def _read(receive: Receive) -> bytes | None:
    """A body of unknown length, or None when it is over the limit."""
    body = bytearray()
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > DRAINED_BYTES or not message.get("more_body", False):
            return None if len(body) > MAX_BODY_BYTES else bytes(body)


async def _drain(receive: Receive) -> None:
    left = DRAINED_BYTES
    while left > 0:
        message = await receive()
        left -= len(message.get("body", b""))
        if not message.get("more_body", False):
            return


def _replayed(body: bytes, receive: Receive) -> Receive:
    """The body again, then whatever comes after it (the client going away)."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
