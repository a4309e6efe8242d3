"""Where a network address is, for prices and taxes as long as nobody says better (wire 16.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class Countries(Protocol):
    """Knows countries of addresses without asking anybody."""

    def of(self, address: str) -> str | None:
        """The two-letter code of the country; None for private, unknown and malformed ones."""


@dataclass(frozen=True, slots=True)
class NoCountries:
    """Knows nothing."""

    def of(self, address: str) -> None:
        """Never."""
        del address


UNKNOWN = NoCountries()
