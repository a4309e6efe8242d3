"""Canceling at once with credit: to the second, to the balance (cases 10, 28, 98)."""

import pytest

from aggregates.invoice.events import Status
from aggregates.subscription.ending import Cancellation
from aggregates.subscription.events import CancellationType
from commands.subscriptions.cancel_subscription import CancelSubscription
from tests.billing_world import World, at


NOW = Cancellation(type=CancellationType.IMMEDIATE)


def canceled(amount, start, end, *, credit=True, card="works"):
    world = World(start)
    world.monthly(amount)
    customer = world.customer(card=card)
    number = world.subscribe()
    world.to(end)
    world.do(CancelSubscription(subscription_id=number, wish=NOW, credit_unused_time=credit))
    return world, customer


@pytest.mark.parametrize(
    ("amount", "start", "end", "credit"),
    [
        ("31.00", at(2025, 3, 1), at(2025, 3, 10, 6), -2175),
        ("30.00", at(2025, 4, 1), at(2025, 4, 15, 18), -1525),
        ("30.00", at(2025, 4, 1), at(2025, 4, 21), -1000),
        ("30.00", at(2025, 4, 1), at(2025, 4, 1), -3000),
    ],
    ids=["case 10", "case 28", "case 98", "at once"],
)
def test_the_rest_goes_to_the_balance(amount, start, end, credit):
    world, customer = canceled(amount, start, end)
    assert world.balance(customer) == credit
    note = world.invoices()[-1]
    assert (note.status, note.totals.total.units, note.order_id) == (Status.PAID, credit, None)
    assert note.balance.due.units == 0
    assert len(world.facts()) == len(world.store.log)


def test_case_98_without_the_option_nothing_is_given_back():
    world, customer = canceled("30.00", at(2025, 4, 1), at(2025, 4, 21), credit=False)
    assert world.balance(customer) == 0
    assert len(world.invoices()) == 1


def test_what_was_not_paid_is_not_given_back():
    world, customer = canceled("30.00", at(2025, 4, 1), at(2025, 4, 1, 12), card="declined")
    assert world.balance(customer) == 0


def test_a_later_invoice_uses_the_credit():
    world, customer = canceled("30.00", at(2025, 4, 1), at(2025, 4, 21))
    world.subscribe()
    assert world.invoices()[-1].balance.due.units == 2000
    assert world.balance(customer) == 0
