"""A change whose payment is under way when the period ends: it never holds beyond it (wire 25)."""

import pytest

from aggregates.subscription.changes import SubscriptionChangeExpired, SubscriptionPlanChanged
from aggregates.subscription.events import Status
from commands.subscriptions.renew_subscription import RenewSubscription
from commands.subscriptions.update_subscription import UpdateSubscription
from kernel.interval import ChargePeriod
from kernel.ports.payments import Succeeded, Unknown
from tests import catalog_builders as catalog
from tests.billing_world import DECLINED, World, at


FEBRUARY = at(2025, 2)


def in_flight(**wanted):
    """Some hours before the end of the period a change is to be paid; the provider is silent."""
    world = World(at(2025))
    for identifier, month, year in (("pro", "10.00", "100.00"), ("max", "2000.00", "20000.00")):
        charges = catalog.charge(month), catalog.charge(year, ChargePeriod.YEARLY)
        world.plan(identifier, catalog.price(catalog.row(*charges)), name=identifier)
    world.ada = world.customer(card="works")
    world.number = world.subscribe()
    world.to(at(2025, 1, 31, 18))
    world.provider.say("works", Unknown())
    update = UpdateSubscription(subscription_id=world.number, activate_on_payment=True, **wanted)
    world.do(update)
    (_, world.attempt) = world.attempts()
    world.provider.say("works", Succeeded(reference="paid"))
    world.clock.at = FEBRUARY  # the expiry of the change waits, the renewal does not
    world.do(RenewSubscription(subscription_id=world.number, period_start=FEBRUARY))
    return world


def answer(world, result):
    """What became of the payment of the change is known at last."""
    world.provider.answers[world.attempt.provider_key] = result
    world.handled = 0
    world.react()


@pytest.mark.parametrize("wanted", [{"plan": "max"}, {"period": ChargePeriod.YEARLY}])
@pytest.mark.parametrize("result", [Succeeded(reference="late"), DECLINED])
def test_it_expires_with_the_period_and_what_was_paid_is_credit(wanted, result):
    world = in_flight(**wanted)
    assert len(world.facts(SubscriptionChangeExpired)) == 1
    answer(world, result)
    state = world.subscription(world.number)
    assert (state.status, state.contract.amount.units) == (Status.ACTIVE, 1000)
    assert (state.period.start, world.facts(SubscriptionPlanChanged)) == (FEBRUARY, [])
    paid = world.attempt.amount.units if isinstance(result, Succeeded) else 0
    assert world.balance(world.ada) == -paid
    world.to(at(2025, 3))
    assert [i.totals.total.units for i in world.invoices()[2:]] == [1000, 1000]
    assert world.subscription(world.number).period.start == at(2025, 3)
