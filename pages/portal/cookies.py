"""The cookies of the portal: who is signed in, and what the next page has to say.

Both stay within the pages of one organization, are kept from scripts, and end with the browser.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response

from kernel.portal import portal_path
from kernel.tenant import Tenant


SESSION = "billstream_portal"
SAID = "billstream_portal_said"
_SESSION = re.compile(r"([0-9a-f]{32})\.([\w-]{43})", re.ASCII)
_SAID = re.compile(r"[a-z_]{1,40}")


@dataclass(frozen=True, slots=True)
class Claimed:
    """What a cookie says, not yet believed: the session, and the secret half."""

    session: UUID
    secret: str


@dataclass(frozen=True, slots=True)
class Jar:
    """Puts cookies for the portal of one organization; ``secure`` when its address is https."""

    tenant: Tenant
    secure: bool

    def sign_in(self, response: Response, session: UUID, secret: str) -> None:
        """Always a new secret of ours: what a browser came with is never made good."""
        self._put(response, SESSION, f"{session.hex}.{secret}")

    def sign_out(self, response: Response) -> None:
        """The browser forgets it; the session itself ends by its own fact."""
        self._drop(response, SESSION)

    def say(self, response: Response, word: str) -> None:
        """Leave a word for the next page."""
        self._put(response, SAID, word)

    def said(self, response: Response) -> None:
        """It was shown."""
        self._drop(response, SAID)

    def _put(self, response: Response, name: str, value: str) -> None:
        response.set_cookie(
            name, value, path=self._path, secure=self.secure, httponly=True, samesite="lax"
        )

    def _drop(self, response: Response, name: str) -> None:
        response.delete_cookie(
            name, path=self._path, secure=self.secure, httponly=True, samesite="lax"
        )

    @property
    def _path(self) -> str:
        return portal_path(self.tenant).rstrip("/")


def session_of(request: Request) -> Claimed | None:
    """What the browser says about being signed in."""
    found = _SESSION.fullmatch(request.cookies.get(SESSION, ""))
    return None if found is None else Claimed(UUID(found[1]), found[2])


def said_to(request: Request) -> str | None:
    """The word that was left for this page."""
    found = _SAID.fullmatch(request.cookies.get(SAID, ""))
    return None if found is None else found[0]
