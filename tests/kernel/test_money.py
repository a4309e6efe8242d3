"""Money: minor units, one rounding half away from zero, shares that lose nothing (cases 53-62)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel.errors import Invalid
from kernel.money import (
    MAX_UNITS,
    MixedCurrencies,
    Money,
    UnknownCurrency,
    decimal_string,
    parse_units,
    round_half_away,
    split_units,
)


@pytest.mark.parametrize(
    ("amount", "factor", "expected"),
    [
        pytest.param(Money(1000, "JPY"), Fraction(10, 31), 323, id="case 53"),
        pytest.param(Money(10_000, "USD"), Fraction(10, 31), 3226, id="case 54, 10 of 31"),
        pytest.param(Money(10_000, "USD"), Fraction(15, 31), 4839, id="case 54, 15 of 31"),
        pytest.param(Money(90, "USD"), Fraction(35, 100), 32, id="case 57"),
        pytest.param(Money(85, "USD"), Fraction(1, 10), 9, id="case 60"),
        pytest.param(Money(-85, "USD"), Fraction(1, 10), -9, id="case 60, negative"),
        pytest.param(Money(999, "USD"), Fraction(20, 100), 200, id="case 61"),
    ],
)
def test_a_product_is_rounded_once_half_away_from_zero(amount, factor, expected):
    assert amount.times(factor).units == expected


def test_case_62_the_net_of_an_inclusive_price():
    gross = Money(1200, "USD")
    net = gross.times(Fraction(100, 120))
    assert (net.units, (gross - net).units) == (1000, 200)


def test_case_59_the_half_is_exact():
    assert round_half_away(Fraction("100.5")) == 101


@pytest.mark.parametrize(
    ("text", "currency", "units"),
    [
        ("10.00", "USD", 1000),
        ("1000", "JPY", 1000),
        ("10.000", "KWD", 10_000),
        ("-0.05", "USD", -5),
        (7, "USD", 700),
    ],
    ids=["case 56 USD", "case 56 JPY", "case 56 KWD", "negative", "whole"],
)
def test_case_56_major_units_to_minor(text, currency, units):
    assert parse_units(text, currency) == units


@pytest.mark.parametrize(
    ("text", "currency"),
    [("0.001", "USD"), ("0.5", "JPY"), ("x", "USD"), ("NaN", "USD"), (str(MAX_UNITS), "USD")],
)
def test_what_is_no_amount_of_the_currency_is_refused(text, currency):
    with pytest.raises(Invalid):
        parse_units(text, currency)


def test_currencies_do_not_mix_and_must_exist():
    with pytest.raises(MixedCurrencies):
        Money(1, "USD") + Money(1, "EUR")
    with pytest.raises(UnknownCurrency):
        decimal_string(1, "XXX")


@given(st.integers(-(10**12), 10**12), st.sampled_from(["USD", "JPY", "KWD"]))
def test_decimal_text_reads_back(units, currency):
    assert parse_units(decimal_string(units, currency), currency) == units


@given(st.integers(-(10**12), 10**12), st.integers(1, 10**6))
def test_rounding_is_the_nearest_and_symmetric(numerator, denominator):
    exact = Fraction(numerator, denominator)
    rounded = round_half_away(exact)
    assert abs(rounded - exact) <= Fraction(1, 2)
    assert round_half_away(-exact) == -rounded


@given(st.integers(-(10**9), 10**9), st.lists(st.integers(0, 10**6), min_size=1, max_size=9))
def test_shares_sum_to_the_whole_and_are_off_by_less_than_a_unit(total, weights):
    parts = split_units(total, weights)
    assert sum(parts) == total
    if any(weights):
        whole = sum(weights)
        for part, weight in zip(parts, weights, strict=True):
            assert abs(part - Fraction(total * weight, whole)) < 1


def test_what_is_left_goes_to_the_larger_then_the_earlier_part():
    assert split_units(10, [1, 1, 1]) == (4, 3, 3)
    assert split_units(1, [1, 3]) == (0, 1)
