"""In which country an address of the internet is."""

from __future__ import annotations

from typing import Protocol


class Countries(Protocol):
    """A table of addresses; no network is asked."""

    def of(self, address: str) -> str | None:
        """The country of an IPv4 or IPv6 address, two letters; None when it is not known."""
