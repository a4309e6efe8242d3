"""Prices by country: what a rule makes of catalog prices, shown and charged alike."""

from fractions import Fraction
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel.interval import ChargePeriod
from kernel.money import Money, round_half_away
from kernel.offer import FeaturePrice, OfferTerms, PlanWords, ProductWords
from kernel.price import (
    Charge,
    PaymentType,
    Price,
    PriceModel,
    PriceRow,
    PriceType,
    Rate,
    TaxBehavior,
    Tier,
)
from kernel.price_rule import (
    Adjustment,
    Condition,
    ConditionType,
    PriceRule,
    applying,
    localized_amount,
    localized_price,
    localized_terms,
)
from kernel.purchasing_power import GROUPS, PurchasingPower, group_of


MONTHLY = ChargePeriod.MONTHLY
FEATURE = UUID(int=5)


def rule(percentage, adjustment=Adjustment.DECREASE, **conditions):
    wanted = conditions or {"COUNTRY": ("IN",)}
    return PriceRule(
        id=UUID(int=1),
        conditions=tuple(
            Condition(type=ConditionType(kind), values=values) for kind, values in wanted.items()
        ),
        adjustment=adjustment,
        percentage=percentage,
    )


@pytest.mark.parametrize(
    ("units", "adjustment", "percentage", "expected"),
    [
        (2000, "DECREASE", 40, 1200),
        (999, "DECREASE", 33, 669),  # 669.33
        (999, "DECREASE", 50, 500),  # 499.5: half away from zero
        (999, "INCREASE", 50, 1499),  # 1498.5
        (1, "DECREASE", 99, 0),
        (0, "INCREASE", 1000, 0),
        (1999, "INCREASE", 1000, 21989),
    ],
)
def test_amounts_are_rounded_once_half_away_from_zero(units, adjustment, percentage, expected):
    found = localized_amount(Money(units, "USD"), rule(percentage, Adjustment(adjustment)))
    assert found == Money(expected, "USD")


def test_a_rule_holds_where_any_of_its_conditions_does():
    both = rule(10, COUNTRY=("DE",), PURCHASING_POWER_GROUP=("LOW_INCOME",))
    assert [both.holds_in(country) for country in ("DE", "NE", "FR", None)] == [
        True,
        True,
        False,
        False,
    ]
    assert applying(both, "DE") is both
    assert applying(both, "FR") is None
    assert applying(None, "DE") is None


def test_each_country_is_in_one_group_and_territories_in_none():
    assert len(GROUPS) > 200
    assert all(len(country) == 2 and country.isupper() for country in GROUPS)
    assert group_of("US") is PurchasingPower.HIGH_INCOME
    assert group_of("BR") is PurchasingPower.UPPER_MIDDLE_INCOME
    assert group_of("IN") is PurchasingPower.LOWER_MIDDLE_INCOME
    assert group_of("UG") is PurchasingPower.LOW_INCOME
    assert group_of("AQ") is None
    assert group_of(None) is None


def charge(rate, tiers=()):
    return Charge(period=MONTHLY, rate=rate, tiers=tiers)


def test_a_price_finer_than_a_unit_is_moved_exactly_and_a_whole_one_stays_whole():
    tiers = (Tier(up_to=10, unit=Rate(333), flat=Rate(1, 3)), Tier(up_to=None, unit=Rate(7)))
    price = Price(
        id=UUID(int=2),
        type=PriceType.PAID,
        currency="USD",
        rows=(
            PriceRow(charges=(charge(Rate(999)),)),
            PriceRow(feature=FEATURE, charges=(charge(Rate(7, 10)),)),
            PriceRow(
                feature=UUID(int=6), model=PriceModel.TIERED, charges=(charge(Rate(0), tiers),)
            ),
        ),
    )
    base, usage, tiered = (row.charges[0] for row in localized_price(price, rule(25)).rows)
    assert base.rate == Rate(749)
    assert usage.rate == Rate(21, 40)
    assert [tier.unit for tier in tiered.tiers] == [Rate(250), Rate(5)]
    assert tiered.tiers[0].flat == Rate(1, 4)
    assert localized_price(price, None) is price


@given(
    base=st.integers(0, 10**9),
    seat=st.integers(0, 10**6),
    seats=st.integers(0, 1_000),
    percentage=st.integers(1, 99),
    adjustment=st.sampled_from(Adjustment),
)
def test_what_is_shown_is_what_is_charged(base, seat, seats, percentage, adjustment):
    by = rule(percentage, adjustment)
    rows = (PriceRow(charges=(charge(Rate(base)),)), PriceRow(charges=(charge(Rate(seat)),)))
    price = Price(id=UUID(int=2), type=PriceType.PAID, currency="USD", rows=rows)
    shown = localized_price(price, by)
    sold = FeaturePrice(
        feature=FEATURE,
        identifier="seats",
        name="Seats",
        quantity=seats,
        model=PriceModel.FLAT,
        payment=PaymentType.ADVANCE_COMMITMENT,
        charge=charge(Rate(seat)),
    )
    terms = OfferTerms(
        plan=PlanWords(id=UUID(int=3), identifier="pro", name="Pro", version=1),
        product=ProductWords(id=UUID(int=4), identifier="p", name="P", tax_code="saas"),
        currency="USD",
        period=MONTHLY,
        price_type=PriceType.PAID,
        tax_behavior=TaxBehavior.EXCLUSIVE,
        base=Money(base, "USD"),
        features=(sold,),
    )
    charged = localized_terms(terms, by)
    base_shown, seat_shown = (row.charges[0].rate.units for row in shown.rows)
    assert charged.amount.units == base_shown + seats * seat_shown
    assert base_shown == round_half_away(Fraction(base) * by.factor)
    assert localized_terms(terms, None) is terms
