"""Subscriptions at a price of their own (case 46; spec: isCustomPricing)."""

from dataclasses import replace
from decimal import Decimal
from uuid import uuid4

import pytest

from aggregates.plan.pricing import SoldOnRequest
from commands.charges.create_charge import CreateCharge
from commands.subscriptions.migrate_subscription import CustomPriced, MigrateSubscription
from kernel.errors import InvalidFields
from kernel.interval import ChargePeriod
from kernel.price import PriceType
from tests import catalog_builders as catalog
from tests.billing_world import World, at
from tests.commands.test_changing_a_subscription import APRIL, MAY, MID_APRIL, change, lines, sells
from tests.commands.test_migrating import publish


def at_custom_price(amount="8.00"):
    world = World(APRIL)
    sells(world, "10.00", "20.00")
    world.ada = world.customer(card="works")
    world.number = world.subscribe("plan-10.00", currency="USD", custom_amount=Decimal(amount))
    return world


def test_it_replaces_the_price_of_the_plan_for_good():
    world = at_custom_price()
    world.to(MAY)
    assert [lines(invoice) for invoice in world.invoices()] == [[800], [800]]
    contract = world.subscription(world.number).contract
    assert (contract.is_custom_pricing, contract.amount.units) == (True, 800)


def on_request():
    world = World(APRIL)
    world.plan("tailored", catalog.price(kind=PriceType.CUSTOM))
    world.customer(card="works")
    return world


@pytest.mark.parametrize("period", [ChargePeriod.MONTHLY, ChargePeriod.YEARLY])
def test_a_plan_sold_on_request_is_sold_at_the_price_agreed_on(period):
    world = on_request()
    with pytest.raises(SoldOnRequest):
        world.subscribe("tailored", currency="USD", period=period)
    number = world.subscribe(
        "tailored", currency="USD", period=period, custom_amount=Decimal("8.00")
    )
    contract = world.subscription(number).contract
    assert (contract.is_custom_pricing, contract.amount.units) == (True, 800)
    assert world.money_taken() == 800


def test_a_plan_sold_on_request_is_charged_once_at_the_amount_that_is_said():
    world = on_request()
    charge = CreateCharge(
        subscription_id=uuid4(),
        customer_id="ada",
        plan="tailored",
        period=ChargePeriod.ONE_TIME,
        currency="USD",
    )
    with pytest.raises(SoldOnRequest):
        world.do(charge)
    world.do(replace(charge, custom_amount=Decimal("12.50")))
    assert world.money_taken() == 1250


def test_case_46_it_is_not_migrated_and_nothing_is_recorded():
    world = at_custom_price()
    publish(world, "12.00", identifier="plan-10.00")
    before = len(world.store.log)
    with pytest.raises(CustomPriced):
        world.do(
            MigrateSubscription(
                subscription_id=world.number, update_features=True, update_pricing=True
            )
        )
    assert len(world.store.log) == before


def test_another_plan_has_its_own_price_and_the_credit_is_of_the_custom_one():
    world = at_custom_price()
    world.to(MID_APRIL)
    change(world, "20.00")
    assert lines(world.invoices()[-1]) == [-400, 1000]
    assert not world.subscription(world.number).contract.is_custom_pricing


def test_it_is_in_units_of_its_currency():
    with pytest.raises(InvalidFields, match="decimal places"):
        at_custom_price("8.001")


def test_it_ends_with_the_period_it_was_agreed_for():
    world = World(APRIL)
    yearly, monthly = catalog.charge("200.00", ChargePeriod.YEARLY), catalog.charge("20.00")
    world.plan("pro", catalog.price(catalog.row(monthly, yearly)))
    world.customer(card="works")
    world.number = world.subscribe(currency="USD", custom_amount=Decimal("8.00"))
    world.to(at(2025, 4, 16))
    change(world, period=ChargePeriod.YEARLY)
    assert lines(world.invoices()[-1]) == [-400, 20000]
