"""How people of a country write amounts, and what it is called."""

from __future__ import annotations

from functools import cache

from babel import Locale, UnknownLocaleError


DEFAULT_LOCALE = "en-US"


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
