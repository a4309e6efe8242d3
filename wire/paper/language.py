"""In which language and with which figures a document speaks to a customer."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cache
from pathlib import Path

from babel import Locale, UnknownLocaleError
from babel.dates import format_date
from babel.numbers import NumberPattern, format_decimal

from kernel.interval import Period
from kernel.money import Money, exponent


FOLDER = Path(__file__).parent
WORDS: Mapping[str, Mapping[str, str]] = json.loads((FOLDER / "words.json").read_text("utf-8"))
INTERNATIONAL = "en_001"
_LETTER_BESIDE_DIGIT = re.compile(r"(?<=[^\W\d_])(?=\d)")
_MOMENT = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Language:
    """A locale, and the words of its language."""

    locale: Locale
    words: Mapping[str, str]

    def money(self, amount: Money) -> str:
        """With the currency's own number of places, as the locale writes it."""
        return self.price(amount.decimal(), amount.currency)

    def price(self, decimal: str, currency: str) -> str:
        """A decimal string in major units; it keeps all its places."""
        places = max(exponent(currency), len(decimal.partition(".")[2]))
        pattern = _currency_pattern(self.locale, places)
        text: str = pattern.apply(
            Decimal(decimal), self.locale, currency=currency, currency_digits=False
        )
        return _LETTER_BESIDE_DIGIT.sub("\u00a0", text)

    def day(self, at: datetime) -> str:
        """A day in UTC: ``21 November 2026``."""
        return str(format_date(at, "long", locale=self.locale))

    def days(self, period: Period) -> str:
        """First and last day of a half-open period."""
        days = (period.start, max(period.end - _MOMENT, period.start))
        first, last = (format_date(at, "medium", locale=self.locale) for at in days)
        return str(first) if first == last else f"{first} – {last}"  # noqa: RUF001 an en dash

    def count(self, number: int) -> str:
        """A whole number with its separators."""
        return str(format_decimal(number, locale=self.locale))

    def percentage(self, text: str) -> str:
        """``"19.00"`` as the locale writes 19 %."""
        pattern = copy.copy(self.locale.percent_formats[None])
        pattern.frac_prec = (0, 6)
        shown: str = pattern.apply(Decimal(text) / 100, self.locale)
        return shown

    @property
    def country_name_of(self) -> Mapping[str, str]:
        """Countries by their code, in this language."""
        return dict(self.locale.territories)


@cache
def language_of(country: str | None) -> Language:
    """What is spoken there, if we have its words; else English as it is written there."""
    if country:
        for tag in (f"und_{country}", f"en_{country}"):
            try:
                locale = Locale.parse(tag)
            except (UnknownLocaleError, ValueError):
                continue
            if locale.language in WORDS:
                return Language(locale, WORDS[locale.language])
    return Language(Locale.parse(INTERNATIONAL), WORDS["en"])


@cache
def _currency_pattern(locale: Locale, places: int) -> NumberPattern:
    pattern: NumberPattern = copy.copy(locale.currency_formats["standard"])
    pattern.frac_prec = (places, places)
    return pattern
