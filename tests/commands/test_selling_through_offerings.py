"""What an offering shows is what its checkout charges, for the whole life of the subscription."""

from uuid import UUID

import pytest

from aggregates.checkout.events import CheckoutSessionCreated, Origins, Status
from aggregates.offering.events import OfferingContent
from aggregates.pricing_table.events import PricingOptions, ShownPlan, TableContent
from commands.checkout.complete_checkout import PriceChanged
from commands.offerings.change_offering import ArchiveOffering
from commands.offerings.create_offering import CreateOffering
from commands.offerings.create_pricing_table import CreatePricingTable
from commands.subscriptions.update_subscription import UpdateSubscription
from kernel.ids import NIL
from kernel.money import Money
from kernel.postal import Address
from kernel.price_rule import Adjustment, Condition, ConditionType, PriceRule
from kernel.publication import Publication
from tests import catalog_builders as catalog
from tests.billing_world import World, at
from tests.checkouts import Buyer


OFFERING = UUID(int=77)
RULE = PriceRule(
    id=UUID(int=78),
    conditions=(Condition(type=ConditionType.COUNTRY, values=("IN",)),),
    adjustment=Adjustment.DECREASE,
    percentage=33,
)


@pytest.fixture
def world():
    world = World(at(2025, 3, 1, 12))
    for name, dollars, euros in (("pro", "19.99", "18.99"), ("max", "40.00", "38.00")):
        usd = catalog.price(catalog.row(catalog.charge(dollars)))
        eur = catalog.price(
            catalog.row(catalog.charge(euros, currency="EUR")), currency="EUR", number=2
        )
        world.plan(name, usd, eur)
    world.monthly("5.00", "dollars-only")
    return world


def offering(world, *plans, rule=RULE, publication=Publication.ACTIVE, **options):
    rows = tuple(ShownPlan(id=NIL, identifier=plan) for plan in plans)
    content = TableContent(name="T", plans=rows, options=PricingOptions(**options))
    table = None
    if plans:
        (made,) = world.do(CreatePricingTable(content=content))
        table = made.table_id
    shown = OfferingContent(name="O", pricing_table=table, rule=rule, publication=publication)
    world.do(CreateOffering(offering_id=OFFERING, content=shown))


def buyer(world, country, rule=None, **fields):
    origins = Origins(offering=OFFERING, rule=rule)
    return Buyer(world, country=country, shown_in=origins, **fields)


def subscription(world):
    (number,) = world.subscriptions()
    return world.subscription(number)


def test_the_price_of_a_country_is_quoted_charged_and_renewed(world):
    offering(world)
    found = buyer(world, "IN")
    quote = found.quote()
    assert quote.due == Money(1339, "USD")  # 13.3933
    assert set(quote.options[0].amounts.values()) == {Money(1339, "USD")}
    (created,) = world.facts(CheckoutSessionCreated)
    assert created.offered[0].periods[0].amount == Money(1339, "USD")
    found.pays()
    assert found.session.status is Status.SUCCESS
    world.do(ArchiveOffering(offering_id=OFFERING))
    world.to(at(2025, 4, 2))
    assert [attempt.amount for attempt in world.attempts()] == [Money(1339, "USD")] * 2


def test_another_plan_stays_at_the_prices_of_the_country(world):
    offering(world)
    buyer(world, "IN").pays()
    (number,) = world.subscriptions()
    world.do(UpdateSubscription(subscription_id=number, plan="max"))
    contract = subscription(world).contract
    assert (contract.amount, contract.price_rule) == (Money(2680, "USD"), RULE)


def test_the_billing_address_decides_and_a_price_that_was_seen_is_not_raised_in_silence(world):
    offering(world)
    found = buyer(world, "IN")
    seen = found.quote()
    found.enters(billing_address=Address(country="US"))
    with pytest.raises(PriceChanged):
        found.pays(quote=seen.token)
    assert found.quote().due == Money(1999, "USD")
    found.pays()
    assert subscription(world).contract.price_rule is None


@pytest.mark.parametrize(
    ("country", "fields", "rule"),
    [
        ("US", {}, None),
        ("IN", {}, UUID(int=1)),
        ("IN", {"publication": Publication.DRAFT}, None),
        ("IN", {"rule": None}, None),
    ],
)
def test_where_no_rule_holds_the_price_is_that_of_the_catalog(world, country, fields, rule):
    offering(world, **fields)
    assert buyer(world, country, rule).quote().due == Money(1999, "USD")


def test_an_offering_nobody_knows_changes_nothing(world):
    assert buyer(world, "IN").quote().due == Money(1999, "USD")


@pytest.mark.parametrize(
    ("plans", "options", "due"),
    [
        ((), {}, Money(1899, "EUR")),
        (("pro", "max"), {}, Money(1899, "EUR")),
        (("pro", "dollars-only"), {}, Money(1999, "USD")),
        (("pro", "max"), {"localization": False}, Money(1999, "USD")),
    ],
)
def test_a_plan_is_sold_in_the_currency_that_its_table_showed(world, plans, options, due):
    offering(world, *plans, **options)
    assert buyer(world, "DE").quote().due == due
