"""What a plan version costs and grants in a currency, a period and quantities."""

import pytest

from aggregates.plan import pricing
from aggregates.plan.pricing import Choice, chosen_price, plan_words, terms_of
from aggregates.plan.state import PLAN
from kernel.entitlement import Reset, Rollover, UsageAlerts
from kernel.interval import ChargePeriod
from kernel.money import Money
from kernel.price import PaymentType, PriceModel, PriceType, Rate, Tier
from tests.catalog_builders import (
    FEATURES,
    PLAN_ID,
    PRODUCT,
    PROJECTS,
    SEATS,
    SSO,
    charge,
    created,
    entitled,
    free,
    granted,
    price,
    priced,
    published,
    row,
)


def version_of(*prices, entitlements=()):
    facts = [created(), priced(*prices), published()]
    if entitlements:
        facts.insert(2, entitled(*entitlements))
    return PLAN.of(facts).published


def terms(version, *, currency=None, period=ChargePeriod.MONTHLY, default=None, **quantities):
    chosen = chosen_price(version, currency, default)
    choice = Choice(price=chosen, period=period, quantities=quantities)
    return terms_of(plan_words(PLAN_ID, "pro", version), PRODUCT, version, choice, FEATURES)


def seats(amount="12.00", **fields):
    return row(charge(amount, **fields), feature=SEATS.id)


def test_seats_add_to_the_base_price():
    sale = terms(version_of(price(row(), seats())), seats=8)
    assert sale.base == Money(2000, "USD")
    assert [(line.feature, line.quantity, line.amount.units) for line in sale.lines] == [
        (None, 1, 2000),
        ("seats", 8, 9600),
    ]
    assert sale.amount == Money(11600, "USD")


def test_the_quantity_of_seats_is_the_limit():
    sale = terms(version_of(price(row(), seats()), entitlements=[granted(SEATS, 0)]), seats=8)
    assert [(e.feature.identifier, e.value) for e in sale.entitlements] == [("seats", 8)]


def test_a_priced_feature_is_granted_even_when_the_plan_forgot_to():
    sale = terms(version_of(price(row(), seats()), entitlements=[granted(SSO)]), seats=2)
    assert [(e.feature.identifier, e.value) for e in sale.entitlements] == [
        ("sso", True),
        ("seats", 2),
    ]


def test_a_quantity_left_out_is_the_minimum_else_one():
    assert terms(version_of(price(row(), seats()))).features[0].quantity == 1
    assert terms(version_of(price(row(), seats(minimum=3)))).features[0].quantity == 3
    optional = terms(version_of(price(row(), seats(minimum=0))))
    assert (optional.features[0].quantity, optional.amount.units) == (0, 2000)


@pytest.mark.parametrize("quantity", [2, 11, -1])
def test_a_quantity_outside_the_bounds_is_refused(quantity):
    with pytest.raises(pricing.QuantityOutOfRange):
        terms(version_of(price(row(), seats(minimum=3, maximum=10))), seats=quantity)


def test_a_quantity_of_what_is_not_priced_is_refused():
    with pytest.raises(pricing.UnknownQuantity, match="projects"):
        terms(version_of(price(), entitlements=[granted(PROJECTS, 3)]), projects=4)


def test_a_fine_rate_is_rounded_once_per_line():
    fine = price(row(charge("0.007"), feature=SEATS.id))
    sale = terms(version_of(fine), seats=15)
    (line,) = sale.lines
    assert (line.amount.units, line.numerator, line.denominator) == (11, 21, 2)


def test_what_is_billed_by_use_has_no_line_and_no_limit():
    metered = row(charge("0.10"), feature=SEATS.id, payment=PaymentType.PAY_AS_YOU_GO)
    sale = terms(version_of(price(row(), metered)))
    assert [line.feature for line in sale.lines] == [None]
    assert sale.entitlements[0].unlimited
    with pytest.raises(pricing.UnknownQuantity):
        terms(version_of(price(row(), metered)), seats=3)


def test_the_currency_asked_for_is_used():
    version = version_of(price(), price(row(charge("18", currency="EUR")), currency="EUR"))
    assert terms(version, currency="EUR").base == Money(1800, "EUR")


def test_without_a_currency_the_default_one_is_used_else_the_first():
    version = version_of(price(), price(currency="EUR"))
    assert terms(version).currency == "USD"
    assert terms(version, default="EUR").currency == "EUR"


def test_a_currency_without_a_price_is_refused():
    with pytest.raises(pricing.CurrencyNotPriced):
        terms(version_of(price()), currency="JPY")
    with pytest.raises(pricing.CurrencyNotPriced):
        terms(version_of(price(), price(currency="JPY", enabled=False)), currency="JPY")


def test_a_free_plan_is_free_in_every_currency():
    sale = terms(version_of(free()), currency="JPY", period=ChargePeriod.ONE_TIME)
    assert sale.is_free
    assert sale.amount == Money(0, "JPY")


def test_a_period_that_is_not_offered_is_refused():
    with pytest.raises(pricing.PeriodNotOffered, match="MONTHLY"):
        terms(version_of(price()), period=ChargePeriod.YEARLY)


def test_a_custom_price_is_not_sold_directly():
    with pytest.raises(pricing.SoldOnRequest):
        terms(version_of(price(kind=PriceType.CUSTOM)))


def test_a_trial_is_for_recurring_periods():
    both = price(
        row(charge(), charge("300", ChargePeriod.ONE_TIME)), free_trial=True, trial_days=14
    )
    assert terms(version_of(both)).trial_days == 14
    assert terms(version_of(both), period=ChargePeriod.ONE_TIME).trial_days == 0
    assert terms(version_of(price(trial_days=14))).trial_days == 0


@pytest.mark.parametrize(
    ("model", "fields", "quantity", "units"),
    [
        (PriceModel.FLAT, {"rate": Rate(1)}, 15_000, 15_000),
        (PriceModel.PACKAGE, {"rate": Rate(1000), "block_size": 100}, 205, 3_000),
        (PriceModel.TIERED, {"tiers": (Tier(up_to=1000, unit=Rate(10)),
                                       Tier(up_to=None, unit=Rate(5)))}, 3_500, 22_500),
        (PriceModel.VOLUME, {"tiers": (Tier(up_to=100_000, unit=Rate(1)),
                                       Tier(up_to=None, unit=Rate(7, 10)))}, 120_000, 84_000),
        (PriceModel.STAIRSTEP, {"tiers": (Tier(up_to=10_000, flat=Rate(5_000)),
                                          Tier(up_to=50_000, flat=Rate(15_000)),
                                          Tier(up_to=None, flat=Rate(30_000)))}, 12_000, 15_000),
    ],
)  # fmt: skip
def test_every_model_gives_the_amount_of_its_example(model, fields, quantity, units):
    monthly = charge("0").__class__(period=ChargePeriod.MONTHLY, **fields)
    sale = terms(version_of(price(row(monthly, feature=SEATS.id, model=model))), seats=quantity)
    assert sale.amount == Money(units, "USD")


MONTHLY = {
    "reset": Reset.EVERY_MONTH,
    "reset_time": "BEGINNING_OF_PERIOD",
    "rollover": Rollover(enabled=True, percentage=50),
    "usage_alerts": UsageAlerts(enabled=True, thresholds=(80,)),
}


def test_the_price_says_how_usage_counts_where_the_entitlement_does_not():
    version = version_of(price(row(), row(charge("12.00"), feature=SEATS.id, **MONTHLY)))
    (implied,) = terms(version, seats=8).entitlements
    assert {name: getattr(implied, name) for name in MONTHLY} == MONTHLY
    own = granted(SEATS, 0, reset=Reset.EVERY_DAY, rollover=Rollover())
    rows = price(row(), row(charge("12.00"), feature=SEATS.id, **MONTHLY))
    (kept,) = terms(version_of(rows, entitlements=[own]), seats=8).entitlements
    assert (kept.reset, kept.reset_time, kept.rollover) == (Reset.EVERY_DAY, None, Rollover())
    assert kept.usage_alerts == MONTHLY["usage_alerts"]
