"""Creating subscriptions: what is owed, what is paid, who gets access (design 8, 13)."""

import pytest

from aggregates.subscription.events import Status
from kernel.interval import Period
from tests.billing_world import World, at


@pytest.fixture
def world():
    world = World(at(2025, 1, 31, 12))
    world.monthly("20.00")
    return world


def test_a_saved_card_pays_at_once(world):
    world.customer(card="works")
    start = len(world.store.log)
    number = world.subscribe()
    assert world.names(start) == [
        "subscription.created",
        "invoice.created",
        "order.created",
        "invoice.payment_started",
        "portfolio.subscription_opened",
        "invoice.paid",
        "order.completed",
        "subscription.activated",
        "transaction.succeeded",
    ]
    state = world.subscription(number)
    assert state.status is Status.ACTIVE
    assert state.period == Period(at(2025, 1, 31, 12), at(2025, 2, 28, 12))
    assert world.money_taken() == 2000
