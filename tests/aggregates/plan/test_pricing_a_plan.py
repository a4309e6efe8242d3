"""What a set of prices must satisfy, and the form it is kept in (wire 18.3, 18.4, 30.1, 30.4)."""

from uuid import UUID

import pytest

from aggregates.plan.price_rules import FREE_ROWS, checked_prices
from kernel.entitlement import Reset
from kernel.errors import InvalidFields
from kernel.interval import ChargePeriod
from kernel.money import UnknownCurrency
from kernel.price import PaymentType, PriceModel, PriceRow, PriceType, Rate, Tier
from tests.catalog_builders import FEATURES, SEATS, charge, free, price, row


YEARLY, ONE_TIME = ChargePeriod.YEARLY, ChargePeriod.ONE_TIME
TIERS = (Tier(up_to=10, unit=Rate(100)), Tier(up_to=None, unit=Rate(50)))
METERED = {"feature": SEATS.id, "payment": PaymentType.PAY_AS_YOU_GO}


def seats(*charges, **fields):
    return row(*charges, feature=SEATS.id, **fields)


def tiered(*tiers, model=PriceModel.TIERED, **fields):
    return price(seats(charge("0", tiers=tiers), model=model, **fields))


REFUSED = [
    ("two of one currency", [price(), price(number=2)], "more than one price in USD"),
    ("paid and free of one currency", [price(), free()], "more than one price in USD"),
    ("no charge", [price(PriceRow())], "at least one charge"),
    ("trial of 0 days", [price(trial_days=0)], "1 to 365"),
    ("trial of 366 days", [price(trial_days=366)], "1 to 365"),
    ("a free price that costs", [price(kind=PriceType.FREE)], "no amount other than 0"),
    ("base that is a package", [price(row(model=PriceModel.PACKAGE))], "must be FLAT"),
    ("base billed by use", [price(row(payment=PaymentType.PAY_AS_YOU_GO))], "must be FLAT"),
    ("base in part cents", [price(row(charge("0.005")))], "whole minor units"),
    ("unknown feature", [price(row(feature=UUID(int=99)))], "no feature"),
    ("base twice", [price(row(), row())], "more than once"),
    ("period twice", [price(row(charge(), charge()))], "more than once"),
    (
        "seats without a yearly price",
        [price(row(charge(), charge(period=YEARLY)), seats())],
        "same",
    ),
    ("tier model without tiers", [tiered()], "tiers are missing"),
    ("tiers that end", [tiered(Tier(up_to=10))], "up to inf"),
    ("inf in the middle", [tiered(Tier(up_to=None), Tier(up_to=None))], "Only the last"),
    ("tiers that fall", [tiered(Tier(up_to=9), Tier(up_to=9), Tier(up_to=None))], "must rise"),
    (
        "one-time tiers",
        [price(seats(charge(period=ONE_TIME, tiers=TIERS), model=PriceModel.VOLUME))],
        "FLAT or PACKAGE",
    ),
    ("empty blocks", [price(seats(charge(block_size=0), model=PriceModel.PACKAGE))], "block_size"),
    ("bounds on the base", [price(row(charge(minimum=1)))], "with a feature only"),
    ("bounds that cross", [price(seats(charge(minimum=5, maximum=4)))], "max_quantity"),
    ("yearly use", [price(row(charge(period=YEARLY), **METERED))], "must be MONTHLY"),
    (
        "stairs of use",
        [tiered(*TIERS, model=PriceModel.STAIRSTEP, payment=PaymentType.PAY_AS_YOU_GO)],
        "no STAIRSTEP",
    ),
    ("use that resets", [price(row(reset=Reset.EVERY_MONTH, **METERED))], "no reset"),
]


@pytest.mark.parametrize(("prices", "match"), [pytest.param(p, m, id=i) for i, p, m in REFUSED])
def test_prices_that_cannot_be_billed_are_refused(prices, match):
    with pytest.raises(InvalidFields) as refusal:
        checked_prices(prices, FEATURES)
    assert list(refusal.value.fields) == ["prices"]
    assert match in str(refusal.value)


def test_a_currency_that_is_none_is_refused():
    with pytest.raises(UnknownCurrency):
        checked_prices([price(currency="XXQ")], FEATURES)


def test_a_price_in_each_currency_is_kept_as_it_is():
    prices = (price(seats(charge(minimum=1)), row()), price(row(), currency="EUR"))
    assert checked_prices(prices, FEATURES) == prices


def test_a_free_plan_has_one_charge_of_nothing():
    monthly_nothing = price(row(charge("0")), kind=PriceType.FREE)
    (kept,) = checked_prices([monthly_nothing], FEATURES)
    assert kept.rows == FREE_ROWS


def test_a_trial_goes_when_only_a_one_time_price_is_left():
    (kept,) = checked_prices([price(row(charge(period=ONE_TIME)), free_trial=True)], FEATURES)
    assert (kept.free_trial, kept.trial_days) == (False, 7)


def test_a_trial_stays_with_a_recurring_price():
    both = price(row(charge(), charge(period=ONE_TIME)), free_trial=True, trial_days=30)
    assert checked_prices([both], FEATURES) == (both,)
