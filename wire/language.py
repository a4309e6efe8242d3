"""A locale and the words of its language: how documents and pages write money, days and texts."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cache

from babel import Locale
from babel.dates import format_date
from babel.numbers import NumberPattern, format_decimal, get_decimal_symbol

from kernel.interval import Period
from kernel.money import Money, exponent


_LETTER_BESIDE_DIGIT = re.compile(r"(?<=[^\W\d_])(?=\d)")
_GROUPING = re.compile(r"[.\s]")
_MOMENT = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Language:
    """A locale, and the words of its language."""

    locale: Locale
    words: Mapping[str, str]

    def say(self, key: str, /, **values: object) -> str:
        """The text with this key, its ``{name}`` places filled. Raises KeyError."""
        return self.words[key].format(**values)

    def count_of(self, key: str, number: int, /, **values: object) -> str:
        """The text ``key.one``, ``key.other``, ... that goes with the number, told as ``{n}``."""
        form = f"{key}.{self.locale.plural_form(number)}"
        known = form if form in self.words else f"{key}.other"
        return self.say(known, n=self.count(number), **values)

    def refusal(self, code: str, message: str) -> str:
        """What a refusal with this code says; in the words it came with if we have no others."""
        return self.words.get(f"refused.{code}", message)

    def money(self, amount: Money) -> str:
        """With the currency's own number of places, as the locale writes it."""
        return self.price(amount.decimal(), amount.currency)

    def price(self, decimal: str, currency: str) -> str:
        """A decimal string in major units; it keeps all its places."""
        places = max(exponent(currency), len(decimal.partition(".")[2]))
        return self.amount(Decimal(decimal), currency, places, places)

    def amount(self, amount: Decimal, currency: str, least: int, most: int) -> str:
        """With at least and at most so many places."""
        pattern = _currency_pattern(self.locale, least, most)
        text: str = pattern.apply(amount, self.locale, currency=currency, currency_digits=False)
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

    def typed(self, number: str) -> str:
        """Plain decimal text as one types it here."""
        return number.replace(".", self._mark)

    def untyped(self, text: str) -> str:
        """Plain decimal text of a number that was typed as it is written here."""
        if self._mark == "." or self._mark not in text:
            return text
        return _GROUPING.sub("", text).replace(self._mark, ".")

    @property
    def _mark(self) -> str:
        return get_decimal_symbol(self.locale)

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
def _currency_pattern(locale: Locale, least: int, most: int) -> NumberPattern:
    pattern: NumberPattern = copy.copy(locale.currency_formats["standard"])
    pattern.frac_prec = (least, most)
    return pattern
