"""Amounts in words that can be checked with a pencil."""

from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from uuid import UUID

import pytest

from kernel.interval import Period
from kernel.lines import InvoiceLine, LineOrigin, PeriodPart
from kernel.money import Money, round_half_away
from wire.explanation_words import line, rounding


NOV_21, DEC_21 = datetime(2026, 11, 21, tzinfo=UTC), datetime(2026, 12, 21, tzinfo=UTC)


def a_line(exact, *, quantity=1, unit_price="15.00", currency="USD", description="Monthly"):
    exact = Fraction(exact)
    return InvoiceLine(
        name="Pro: Members",
        description=description,
        quantity=quantity,
        unit_price=unit_price,
        amount=Money(round_half_away(exact), currency),
        numerator=exact.numerator,
        denominator=exact.denominator,
        period=Period(NOV_21, DEC_21),
        feature="members",
        origin=LineOrigin(UUID(int=1), 1),
    )


def test_a_multiplication_is_shown_as_one():
    words = line(a_line(7500, quantity=5))
    assert words == (
        "5 x Pro: Members at 15.00 USD, from 21 Nov 2026 to 21 Dec 2026: 7500/1 = 7500"
    )


@pytest.mark.parametrize(
    ("currency", "unit_price", "exact"), [("JPY", "500", 500), ("KWD", "1.250", 1250)]
)
def test_minor_units_are_those_of_the_currency(currency, unit_price, exact):
    words = line(a_line(exact, unit_price=unit_price, currency=currency))
    assert words.startswith(f"Pro: Members at {unit_price} {currency}, from")
    assert words.endswith(f"{exact}/1 = {exact}")


def test_what_is_no_multiplication_is_told_by_its_description():
    credit = a_line(Fraction(-2000, 3), unit_price="-6.67", description="Unused time, 1 Dec 2026")
    assert line(credit) == (
        "Pro: Members, Unused time, 1 Dec 2026: -2000/3 ≈ -666.6667, rounded to -667"
    )


@pytest.mark.parametrize(
    ("exact", "why"),
    [
        (Fraction(-2549 * 25, 60), ""),
        (Fraction(-500), ", less what was not paid or is given back"),
    ],
)
def test_part_of_a_period_is_told_in_seconds_of_its_price(exact, why):
    seconds = {"left": 1_250_000_500_000, "whole": 3_000_001_200_000}
    part = PeriodPart(numerator=2549, denominator=1, **seconds)
    told = line(replace(a_line(exact, unit_price="-9.99", description="Unused time"), part=part))
    way = f"Pro: Members, Unused time: 2549 x 1250000.5 of 3000001.2 seconds{why}"
    assert told == f"{way}: {rounding(exact)}"


@pytest.mark.parametrize(
    ("exact", "words"),
    [
        (Fraction(1, 2), "1/2 ≈ 0.5000, rounded to 1"),
        (Fraction(-1, 2), "-1/2 ≈ -0.5000, rounded to -1"),
        (Fraction(-1, 3), "-1/3 ≈ -0.3333, rounded to 0"),
        (Fraction(0), "0/1 = 0"),
    ],
)
def test_halves_go_away_from_zero(exact, words):
    assert rounding(exact) == words
