"""Invoice lines in words: units, unit prices and days as a customer reads them."""

from datetime import UTC, datetime
from fractions import Fraction

import pytest

from commands.billing.words import days
from kernel.interval import Period
from kernel.lines import unit_price


def day(year, month, day, hour=0):
    return datetime(year, month, day, hour, tzinfo=UTC)


@pytest.mark.parametrize(
    ("units", "currency", "text"),
    [
        (Fraction(2000), "USD", "20.00"),
        (Fraction(7, 10), "USD", "0.007"),
        (Fraction(1500), "JPY", "1500"),
        (Fraction(1, 2), "JPY", "0.5"),
        (Fraction(10_000), "KWD", "10.000"),
        (Fraction(1, 3), "USD", None),
        (Fraction(0), "USD", "0.00"),
    ],
)
def test_a_unit_price_is_exact_or_not_shown(units, currency, text):
    assert unit_price(units, currency) == text


@pytest.mark.parametrize(
    ("start", "end", "text"),
    [
        (day(2025, 3, 1), day(2025, 4, 1), "1 Mar 2025 to 31 Mar 2025"),
        (day(2025, 3, 1), day(2025, 3, 2), "1 Mar 2025"),
        (day(2025, 3, 1, 10), day(2025, 4, 1, 10), "1 Mar 2025 to 1 Apr 2025"),
    ],
)
def test_days_name_the_first_and_the_last(start, end, text):
    assert days(Period(start, end)) == text
