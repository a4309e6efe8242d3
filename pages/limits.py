"""How often a visitor may try what could be guessed: discount codes, sign-ins, cards."""

from __future__ import annotations

from uuid import NAMESPACE_URL, uuid5

from starlette.requests import Request

from wire.http.rate_limits import RateLimits


class Attempts:
    """Tries of one kind: a first few at once, later ones at a slow pace.

    Each process counts on its own. A try counts twice: for the address it comes from, and, ten
    times as generously, for what it is about, so that many addresses do not help to guess.
    """

    def __init__(self, burst: int, per_minute: float) -> None:
        """Allow so many tries at once and then so many a minute."""
        self._by_address = RateLimits(per_minute / 60, most=burst)
        self._by_subject = RateLimits(per_minute / 6, most=burst * 10)

    def take(self, request: Request, subject: object) -> None:
        """Count a try. Raises TooManyRequests with the seconds to wait."""
        host = request.client.host if request.client else ""
        self._by_address.take(uuid5(NAMESPACE_URL, f"{host} {subject}"))
        self._by_subject.take(uuid5(NAMESPACE_URL, f"{subject}"))
