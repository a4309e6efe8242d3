"""The customer's balance: applied, and taking what is too small to charge (design 7)."""

import pytest

from aggregates.invoice.events import Status
from tests import catalog_builders as catalog
from tests.billing_world import World, at


def with_balance(amount, units, currency="USD"):
    world = World(at(2025, 1, 31))
    price = catalog.price(catalog.row(catalog.charge(amount, currency=currency)), currency=currency)
    world.plan("pro", price)
    customer = world.customer(card="works")
    if units:
        world.begin_balance(customer, units, currency)
    world.subscribe()
    return world, customer


def test_case_82_a_credit_pays_and_the_rest_stays():
    world, customer = with_balance("10.00", -1500)
    (invoice,) = world.invoices()
    use = invoice.balance
    assert (use.starting.units, use.applied.units, use.due.units) == (-1500, 1000, 0)
    assert use.ending.units == -500 == world.balance(customer)
    assert invoice.status is Status.PAID
    assert world.attempts() == []


def test_a_credit_that_is_not_enough_pays_first():
    world, customer = with_balance("10.00", -450)
    assert world.invoices()[0].balance.due.units == 550 == world.money_taken()
    assert world.balance(customer) == 0


def test_case_40_what_is_too_small_to_charge_is_carried_over():
    world, customer = with_balance("0.17", 0)
    assert world.invoices()[0].status is Status.PAID
    assert world.balance(customer) == 17
    assert world.money_taken() == 0
    world.to(at(2025, 3, 31))
    assert world.balance(customer) == 0
    assert world.money_taken() == 51


@pytest.mark.parametrize(
    ("currency", "amount", "charged"),
    [("JPY", "49", 0), ("JPY", "50", 50), ("KWD", "0.499", 0), ("KWD", "0.500", 500)],
)
def test_minimums_of_other_currencies(currency, amount, charged):
    world, _ = with_balance(amount, 0, currency)
    assert world.money_taken() == charged
