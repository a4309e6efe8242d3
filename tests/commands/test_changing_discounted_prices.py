"""Changes of subscriptions with discounts and tax: both prices are taken after them."""

from uuid import uuid4

import pytest

from aggregates.customer.state import Details
from commands.customers.change_customer import ChangeCustomer
from commands.discounts.create_discount import CreateDiscount, NewDiscount
from commands.organizations.change_settings import ChangeSettings
from commands.subscriptions.update_subscription import UpdateSubscription
from kernel.discount import Duration, PriceOff
from kernel.interval import ChargePeriod
from kernel.money import Money
from kernel.postal import Address
from kernel.settings import ProrationBehavior, TaxRate
from tests import catalog_builders as catalog
from tests.billing_world import World, at


NOW = ProrationBehavior.IMMEDIATE_CHARGE
NEXT = ProrationBehavior.PRORATE_NEXT_INVOICE
APRIL, MID_APRIL, MAY = at(2025, 4, 1), at(2025, 4, 16), at(2025, 5, 1)
HALF, ALL = PriceOff(percentage=50), PriceOff(percentage=100)
FIVE = PriceOff(amount=Money(500, "USD"))


def plan(world, name, **amounts):
    charges = [
        catalog.charge(amount, ChargePeriod[period.upper()]) for period, amount in amounts.items()
    ]
    world.plan(name, catalog.price(catalog.row(*charges)), name=name)


def subscribed(off, duration=Duration.FOREVER, *, cycles=None, percent=None, **fields):
    world = World(APRIL)
    plan(world, "small", monthly="20.00", yearly="240.00")
    plan(world, "large", monthly="30.00", yearly="360.00")
    world.ada = world.customer(card="works")
    if percent:
        rated(world, percent)
        address = Details(billing_address=Address(country="DE"))
        changes = {"billing_address": address.billing_address}
        world.do(ChangeCustomer(customer_id="ada", changes=changes))
    new = NewDiscount(name="Save", off=off, duration=duration, cycles=cycles)
    world.do(CreateDiscount(seed=uuid4(), code="SAVE", new=new))
    world.number = world.subscribe("small", discount_code="SAVE", **fields)
    return world


def rated(world, percent):
    rates = (TaxRate(country="DE", percent=percent),)
    world.do(ChangeSettings(changes={"tax_rates": rates}, fees={}))


def change(world, behavior=NOW, **fields):
    wish = {"plan": "large", **fields}
    return world.do(UpdateSubscription(subscription_id=world.number, behavior=behavior, **wish))


def lines(invoice):
    return [line.amount.units for line in invoice.lines]


def totals(world):
    return [invoice.totals.total.units for invoice in world.invoices()]


def test_case_43_a_fixed_discount_comes_off_both_prices():
    world = subscribed(FIVE)
    world.to(MID_APRIL)
    change(world)
    assert (lines(world.invoices()[-1]), totals(world)) == ([-750, 1250], [1500, 500])
    world.to(MAY)
    assert totals(world)[-1] == 2500


def test_case_73_a_change_that_a_discount_makes_free_invoices_nothing():
    world = subscribed(ALL)
    world.to(MID_APRIL)
    change(world)
    assert totals(world) == [0]
    assert world.subscription(world.number).contract.terms.plan.identifier == "large"
    world.to(MAY)
    assert totals(world) == [0, 0]


def test_proration_uses_no_cycle_and_is_after_the_discount_of_its_period_alone():
    world = subscribed(HALF, Duration.REPEATING, cycles=2)
    world.to(MID_APRIL)
    change(world)
    assert lines(world.invoices()[-1]) == [-500, 750]
    world.to(at(2025, 6, 2))
    assert totals(world) == [1000, 250, 1500, 3000]
    world.to(at(2025, 6, 16))
    change(world, plan="small")
    assert lines(world.invoices()[-1]) == [-1500, 1000]


def test_case_42_a_new_cycle_is_an_invoiced_period_and_the_old_one_is_credited_as_paid():
    world = World(at(2025))
    plan(world, "small", monthly="20.00", yearly="240.00")
    world.customer(card="works")
    new = NewDiscount(name="Save", off=HALF, duration=Duration.REPEATING, cycles=2)
    world.do(CreateDiscount(seed=uuid4(), code="SAVE", new=new))
    world.number = world.subscribe("small", period=ChargePeriod.YEARLY, discount_code="SAVE")
    world.to(at(2025, 4, 2, 6))
    change(world, plan=None, period=ChargePeriod.MONTHLY)
    assert lines(world.invoices()[-1]) == [-9000, 2000]
    assert totals(world) == [12000, -8000]
    (held,) = world.subscription(world.number).discounts
    assert (held.used, held.is_due) == (2, False)


@pytest.mark.parametrize("behavior", [NOW, NEXT])
def test_a_credit_has_the_old_rate_and_a_debit_the_one_of_the_day_it_is_invoiced(behavior):
    world = subscribed(HALF, percent="20")
    rated(world, "10")
    world.to(MID_APRIL)
    change(world, behavior)
    world.to(MAY)
    carried = world.invoices()[1]
    taxes = {tax.terms.percent: tax.amount.units for tax in carried.taxes}
    assert taxes == {"20": -100, "10": 75 if behavior is NOW else 75 + 150}


@pytest.mark.parametrize("behavior", [NOW, NEXT])
def test_what_was_invoiced_without_tax_is_credited_without_tax(behavior):
    world = subscribed(HALF)
    address = {"billing_address": Address(country="DE")}
    world.do(ChangeCustomer(customer_id="ada", changes=address))
    rated(world, "10")
    world.to(MID_APRIL)
    change(world, behavior)
    world.to(MAY)
    carried = world.invoices()[1]
    assert [tax.base.units for tax in carried.taxes] == [750 if behavior is NOW else 2250]
    assert carried.lines[0].tax is None


def test_a_change_that_nobody_paid_for_gives_its_cycle_back():
    world = subscribed(HALF, Duration.REPEATING, cycles=2)
    before = len(world.store.log)
    world.card("declined")
    change(world, period=ChargePeriod.YEARLY, activate_on_payment=True)
    happened = world.names(before)
    assert "subscription.discounts_used" in happened
    assert "subscription.change_expired" in happened
    (held,) = world.subscription(world.number).discounts
    assert (held.used, held.is_due) == (1, True)
    world.card("works")
    world.to(MAY)
    assert totals(world)[-1] == 1000


def test_a_change_that_was_paid_for_keeps_its_discount_for_the_period_it_began():
    world = subscribed(HALF, Duration.REPEATING, cycles=2)
    world.to(MID_APRIL)
    change(world, period=ChargePeriod.YEARLY, activate_on_payment=True)
    assert lines(world.invoices()[-1]) == [-500, 36000]
    state = world.subscription(world.number)
    world.to(state.period.start + (state.period.end - state.period.start) / 2)
    change(world, plan="small")
    assert lines(world.invoices()[-1]) == [-9000, 6000]
