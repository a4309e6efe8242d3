"""Percentages first, then fixed amounts, never below zero, exact until the line is rounded."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as some

from kernel.discount import PriceOff, discounts_leave
from kernel.money import Money


def percent(value):
    return PriceOff(percentage=value)


def fixed(units):
    return PriceOff(amount=Money(units, "USD"))


def test_percentages_come_before_fixed_amounts_whatever_the_order():
    assert discounts_leave(10_000, [fixed(500), percent(50)]) == 4_500
    assert discounts_leave(10_000, [percent(50), fixed(500)]) == 4_500


def test_several_percentages_take_their_part_of_what_is_left():
    assert discounts_leave(10_000, [percent(50), percent(50)]) == 2_500


def test_a_fixed_amount_takes_at_most_what_is_left():
    """Case 74: 30.00 off 20.00 is 20.00 off."""
    assert discounts_leave(2_000, [fixed(3_000)]) == 0


def test_nothing_is_rounded():
    """Case 57: 90 units at 35 % off leave 58.5 exactly."""
    assert discounts_leave(90, [percent(35)]) == Fraction(117, 2)


offs = some.one_of(some.integers(1, 100).map(percent), some.integers(0, 10**7).map(fixed))


@given(some.integers(0, 10**9), some.lists(offs, max_size=6))
def test_what_is_left_lies_between_nothing_and_the_price(units, taken):
    assert 0 <= discounts_leave(units, taken) <= units
