"""What a page may load, run and send: everything is refused that is not named here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


ALWAYS = {
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(self)",
}
"""Sent with every page: its address may be a secret, so nobody keeps it and no link tells it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """``pictures`` are origins; ``scripted``: runs and asks our own only.

    No form may lead to another site, not even by a redirect that answers it.
    """

    scripted: bool = False
    pictures: Sequence[str] = ()

    @property
    def headers(self) -> dict[str, str]:
        """All headers of such a page."""
        return {"Content-Security-Policy": self._content, **ALWAYS}

    @property
    def _content(self) -> str:
        rules = [
            "default-src 'none'",
            "style-src 'self'",
            " ".join(["img-src 'self'", *self.pictures]),
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        ]
        if self.scripted:
            rules += ["script-src 'self'", "connect-src 'self'"]
        return "; ".join(rules)
