"""Writes amounts of a pricing table as its merchant wants them and as the language does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from babel.numbers import get_currency_symbol

from kernel.money import exponent
from wire.language import Language


USUAL = {
    "showDecimal": True,
    "showCurrencyCode": False,
    "showCurrencySymbol": True,
    "maximumDecimalDigits": 2,
    "minimumDecimalDigits": 0,
}


@dataclass(frozen=True, slots=True)
class Amounts:
    """Amounts in one language; ``options`` are the ``pricingOptions`` of a table."""

    language: Language
    options: Mapping[str, Any]

    def write(self, amount: Decimal, currency: str) -> str:
        """A price: whole ones short, others with all places of the currency.

        Two decimal digits, the usual most, stand for as many as the currency has.
        """
        least, most = self._places(amount, currency)
        return self._written(amount, currency, least, most)

    def write_exactly(self, amount: Decimal, currency: str) -> str:
        """The price of one unit, which may be finer than the currency."""
        places = -int(amount.normalize().as_tuple().exponent)
        if places <= exponent(currency):
            return self.write(amount, currency)
        return self._written(amount, currency, places, places)

    def _places(self, amount: Decimal, currency: str) -> tuple[int, int]:
        if not self.options["showDecimal"]:
            return 0, 0
        most = self.options["maximumDecimalDigits"]
        most = exponent(currency) if most >= USUAL["maximumDecimalDigits"] else most
        most = min(most, exponent(currency))
        least = min(self.options["minimumDecimalDigits"], most)
        return (least if amount == amount.to_integral_value() else most), most

    def _written(self, amount: Decimal, currency: str, least: int, most: int) -> str:
        amount = amount.quantize(Decimal(1).scaleb(-most), ROUND_HALF_UP)
        text = self.language.amount(amount, currency, least, most)
        symbol = str(get_currency_symbol(currency, locale=self.language.locale))
        if not self.options["showCurrencySymbol"]:
            text = text.replace(symbol, "").strip(" \u00a0\u202f")
        if self.options["showCurrencyCode"] and currency not in text:
            text = f"{text}\u00a0{currency}"
        return text
