"""Amounts as the wire shows them, made from minor units (wire 1)."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from babel.numbers import get_currency_symbol

from kernel.money import decimal_string


LANGUAGE = "en_US"


def decimal(units: int, currency: str) -> str:
    """A decimal string in major units: ``"9.99"``."""
    return decimal_string(units, currency)


def number(units: int, currency: str) -> Any:
    """A JSON number in major units with all its places, and no float on the way: ``9.90``."""
    return msgspec.Raw(decimal_string(units, currency).encode())


@cache
def symbol(currency: str) -> str:
    """How people write the currency: ``$``, ``CA$``, ``KWD``."""
    return str(get_currency_symbol(currency, locale=LANGUAGE))
