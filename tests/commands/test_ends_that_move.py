"""A change of what is scheduled to end, or of what ends while it waits (design 13, wire 25)."""

from datetime import date

import pytest

from aggregates.invoice.events import InvoicePaymentFailed
from aggregates.subscription.changes import SubscriptionChangeExpired
from aggregates.subscription.ending import Cancellation
from aggregates.subscription.events import (
    CancellationType,
    Status,
    SubscriptionCanceled,
    SubscriptionCancellationScheduled,
)
from commands.subscriptions.cancel_subscription import CancelSubscription
from commands.subscriptions.update_subscription import UpdateSubscription
from kernel.interval import ChargePeriod
from kernel.retention import Feedback
from tests import catalog_builders as catalog
from tests.billing_world import World, at


WITH_PERIOD = Cancellation(feedback=Feedback.UNUSED, comment="Too quiet")
NOW = Cancellation(type=CancellationType.IMMEDIATE)
JANUARY, MID_JANUARY, FEBRUARY = at(2025), at(2025, 1, 16, 12), at(2025, 2)
YEARLY = {"period": ChargePeriod.YEARLY}


def sold(card="works", **wanted):
    world = World(JANUARY)
    for identifier, month, year in (("pro", "10.00", "100.00"), ("max", "20.00", "200.00")):
        charges = catalog.charge(month), catalog.charge(year, ChargePeriod.YEARLY)
        world.plan(identifier, catalog.price(catalog.row(*charges)), name=identifier)
    world.ada = world.customer(card=card)
    world.number = world.subscribe(**wanted)
    return world


def cancel(world, wish=WITH_PERIOD):
    world.do(CancelSubscription(subscription_id=world.number, wish=wish))


def change(world, **wanted):
    world.do(UpdateSubscription(subscription_id=world.number, **wanted))


def ends(world):
    return world.subscription(world.number).ending.ends_at


def test_what_ends_with_its_period_ends_with_the_new_one():
    world = sold()
    cancel(world)
    world.to(MID_JANUARY)
    change(world, **YEARLY)
    assert ends(world) == at(2026, 1, 16, 12)
    world.to(at(2027))
    (ended,) = world.facts(SubscriptionCanceled)
    assert (ended.ended_at, ended.requested_at) == (at(2026, 1, 16, 12), JANUARY)
    assert (ended.feedback, ended.comment) == (Feedback.UNUSED, "Too quiet")
    assert world.money_taken() == 1000 + 9500


def test_another_plan_in_the_same_period_moves_no_end():
    world = sold()
    cancel(world)
    world.to(MID_JANUARY)
    change(world, plan="max")
    assert len(world.facts(SubscriptionCancellationScheduled)) == 1
    assert ends(world) == FEBRUARY


def test_a_day_that_was_named_stays():
    world = sold()
    cancel(world, Cancellation(type=CancellationType.SPECIFIC_DATE, on=date(2025, 3, 10)))
    change(world, **YEARLY)
    assert ends(world) == at(2025, 3, 10)


@pytest.mark.parametrize("day", [10, 31])
def test_the_end_of_a_trial_takes_the_end_along(day):
    world = sold(trial_ends_at=at(2025, 1, 15))
    cancel(world)
    change(world, trial_ends_at=at(2025, 1, day))
    assert ends(world) == at(2025, 1, day)
    world.to(at(2025, 4))
    (ended,) = world.facts(SubscriptionCanceled)
    assert (ended.ended_at, world.money_taken()) == (at(2025, 1, day), 0)


def test_a_trial_that_ends_now_is_paid_for_a_whole_period():
    world = sold(trial_ends_at=at(2025, 1, 15))
    cancel(world)
    world.to(at(2025, 1, 5))
    change(world, ends_trial=True)
    assert (ends(world), world.money_taken()) == (at(2025, 2, 5), 1000)


def test_a_change_that_waited_moves_the_end_when_it_is_paid():
    world = sold()
    world.card("authenticate")
    change(world, **YEARLY, activate_on_payment=True)
    cancel(world)
    assert ends(world) == FEBRUARY
    world.card("works")
    assert ends(world) == at(2026)


@pytest.mark.parametrize("wish", [NOW, WITH_PERIOD])
def test_a_change_that_waits_expires_with_its_subscription(wish):
    world = sold()
    world.to(at(2025, 1, 31, 12))
    world.card("authenticate")
    change(world, **YEARLY, activate_on_payment=True)
    cancel(world, wish)
    world.to(at(2025, 2, 2))
    assert world.subscription(world.number).status is Status.CANCELED
    assert len(world.facts(SubscriptionChangeExpired)) == 1


def test_nobody_promises_to_try_a_change_again_that_was_refused():
    world = sold()
    world.card("declined")
    world.to(FEBRUARY)
    change(world, plan="max", activate_on_payment=True)
    renewal, refused = world.facts(InvoicePaymentFailed)
    assert renewal.next_attempt_at == at(2025, 2, 2)
    assert refused.next_attempt_at is None
