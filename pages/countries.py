"""The countries of an address, in the order and by the names of a language."""

from __future__ import annotations

import unicodedata
from functools import cache

from babel import Locale


NO_COUNTRIES = frozenset("AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ".split())
"""Territories of the locale data that no address is in."""


@cache
def countries(locale: Locale) -> tuple[tuple[str, str], ...]:
    """Code and name of each."""
    named = (
        (code, str(name))
        for code, name in locale.territories.items()
        if len(code) == 2 and code.isalpha() and code not in NO_COUNTRIES
    )
    return tuple(sorted(named, key=lambda pair: _plain(pair[1])))


def is_country(code: str) -> bool:
    """Whether an address can be in it: one of those to choose from, in either case."""
    return any(code.upper() == known for known, _ in countries(Locale("en")))


def _plain(name: str) -> str:
    """Without accents, so that Österreich stands beside Oman."""
    apart = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))
