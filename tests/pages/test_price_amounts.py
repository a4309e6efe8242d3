"""Amounts on pricing tables: short when whole, exact when not, as the merchant wants them."""

from decimal import Decimal

import pytest
from babel import Locale

from pages.price_amounts import USUAL, Amounts
from wire.language import Language


@pytest.mark.parametrize(
    ("amount", "currency", "locale", "options", "text"),
    [
        ("20", "USD", "en_US", {}, "$20"),
        ("19.9", "USD", "en_US", {}, "$19.90"),
        ("19.99", "EUR", "de_DE", {}, "19,99\xa0€"),
        ("20", "USD", "en_US", {"minimumDecimalDigits": 2}, "$20.00"),
        ("19.99", "USD", "en_US", {"showDecimal": False}, "$20"),
        ("19.99", "USD", "en_US", {"maximumDecimalDigits": 1}, "$20.0"),
        ("20", "USD", "en_US", {"showCurrencySymbol": False}, "20"),
        ("20", "USD", "en_US", {"showCurrencyCode": True}, "$20\xa0USD"),
        ("1234567", "USD", "en_US", {}, "$1,234,567"),
        ("1000", "JPY", "en_US", {"minimumDecimalDigits": 2}, "¥1,000"),
        ("1.5", "KWD", "en_US", {"maximumDecimalDigits": 3}, "KWD\xa01.500"),
    ],
)
def test_prices(amount, currency, locale, options, text):
    amounts = Amounts(Language(Locale.parse(locale), {}), {**USUAL, **options})
    assert amounts.write(Decimal(amount), currency) == text


@pytest.mark.parametrize(
    ("amount", "text"), [("0.0004", "$0.0004"), ("5", "$5"), ("4.99", "$4.99"), ("0.125", "$0.125")]
)
def test_the_price_of_a_unit_keeps_all_its_places(amount, text):
    amounts = Amounts(Language(Locale.parse("en_US"), {}), USUAL)
    assert amounts.write_exactly(Decimal(amount), "USD") == text
