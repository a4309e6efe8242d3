"""What people of a country pay with, and how they write it."""

from __future__ import annotations

from functools import cache

from babel import Locale, UnknownLocaleError
from babel.numbers import get_territory_currencies

from kernel.money import CURRENCIES


_SINCE = {"BG": "EUR"}
"""Changes of currency that are newer than the tables."""

DEFAULT_LOCALE = "en-US"


@cache
def currency_of(country: str | None) -> str | None:
    """The currency of a country; None when it is not known."""
    if country is None:
        return None
    found = [_SINCE[country]] if country in _SINCE else get_territory_currencies(country)
    return next((str(currency) for currency in found if currency in CURRENCIES), None)


@cache
def locale_of(country: str | None) -> str:
    """The locale in which most people of a country write amounts: ``de-DE``."""
    try:
        locale = Locale.parse(f"und_{country or 'US'}")
    except (UnknownLocaleError, ValueError):
        return DEFAULT_LOCALE
    if locale.territory is None:
        return DEFAULT_LOCALE
    return f"{locale.language}-{locale.territory}"


@cache
def country_name(country: str | None) -> str:
    """A country in English; empty when it is not known."""
    names = Locale.parse("en").territories
    return str(names.get(country, "")) if country else ""
