"""The Merchant of Record fee (wire 30.5): the documented vectors, the threshold, the floor."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aggregates.transaction.events import FeeName
from aggregates.transaction.fees import Charged, assess
from kernel.money import Money, round_half_away
from kernel.settings import FeeSchedule, percent


USUAL = FeeSchedule()
FEES = {
    (False, False): (330, 390),
    (True, False): (480, 540),
    (False, True): (400, 460),
    (True, True): (550, 610),
}


def charged(units=10_000, currency="USD", volume=0, **fields):
    chosen = {"is_subscription": False, "is_international": False} | fields
    return Charged(amount=Money(units, currency), volume=Money(volume, currency), **chosen)


def fee(schedule, payment):
    return sum(part.amount.units for part in assess(schedule, payment))


@pytest.mark.parametrize(("where", "expected"), FEES.items())
@pytest.mark.parametrize("after", [False, True])
def test_the_documented_vectors(where, expected, after):
    international, subscription = where
    payment = charged(
        volume=500_000 if after else 0,
        is_international=international,
        is_subscription=subscription,
    )
    assert fee(USUAL, payment) == expected[after]


def test_the_breakdown_of_four_dollars():
    parts = assess(USUAL, charged(is_subscription=True))
    assert [(part.name, part.percentage, part.amount.units) for part in parts] == [
        (FeeName.FIXED, None, 40),
        (FeeName.BASE, "2.9", 290),
        (FeeName.SUBSCRIPTION, "0.7", 70),
    ]


def test_fifty_seven_sixty_with_tax():
    """57.60 with 9.60 tax, one-time, after the threshold: fee 2.42, net 45.58."""
    assert fee(USUAL, charged(5_760, volume=500_000)) == 242
    assert 5_760 - 242 - 960 == 4_558


def test_the_payment_that_crosses_the_threshold_still_has_the_first_rate():
    assert fee(USUAL, charged(volume=499_999)) == 330
    assert fee(USUAL, charged(volume=500_000)) == 390


def test_another_currency_is_converted():
    names = [part.name for part in assess(USUAL, charged(currency="EUR"))]
    assert names == [FeeName.FIXED, FeeName.BASE, FeeName.CONVERSION]


def test_a_currency_without_a_fixed_fee_has_none():
    assert FeeName.FIXED not in [part.name for part in assess(USUAL, charged(currency="KWD"))]


def test_the_floor_adds_an_adjustment():
    schedule = FeeSchedule(floor_percent="5", floor_fixed_units=10)
    parts = assess(schedule, charged())
    assert (parts[-1].name, parts[-1].percentage) == (FeeName.ADJUSTMENT, None)
    assert sum(part.amount.units for part in parts) == 510


@given(
    st.integers(1, 10**9),
    st.booleans(),
    st.booleans(),
    st.sampled_from(["USD", "EUR", "JPY", "KWD"]),
)
def test_the_parts_are_the_total_rounded_once(units, subscription, international, currency):
    payment = charged(units, currency, is_subscription=subscription, is_international=international)
    parts = assess(USUAL, payment)
    fixed = Fraction(sum(part.amount.units for part in parts if part.percentage is None))
    exact = sum((units * percent(part.percentage) for part in parts if part.percentage), fixed)
    assert sum(part.amount.units for part in parts) == round_half_away(exact)
    assert all(part.amount.units >= 0 for part in parts)
