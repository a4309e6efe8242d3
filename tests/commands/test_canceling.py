"""Cancellation in the whole billing core: with every type, in every status, late and twice."""

from datetime import date

import pytest

from aggregates.subscription.ending import (
    Cancellation,
    NotScheduledToCancel,
    SubscriptionAlreadyEnded,
)
from aggregates.subscription.events import (
    CancellationType,
    Initiator,
    Status,
    SubscriptionCanceled,
    SubscriptionCancellationScheduled,
    SubscriptionRenewed,
)
from commands.subscriptions.cancel_subscription import CancelSubscription
from commands.subscriptions.end_subscription import EndSubscription
from commands.subscriptions.pause_subscription import PauseSubscription, ResumeSubscription
from commands.subscriptions.reactivate_subscription import ReactivateSubscription
from kernel.retention import Feedback
from tests.billing_world import DECLINED, World, at


NOW = Cancellation(type=CancellationType.IMMEDIATE)
LATER = Cancellation()
REASON = {"feedback": Feedback.TOO_COMPLEX, "comment": "Could not find the button"}


def on(day):
    return Cancellation(type=CancellationType.SPECIFIC_DATE, on=day)


def sold(card="works", **wanted):
    world = World(at(2025))
    world.monthly("31.00")
    customer = world.customer(card=card)
    return world, customer, world.subscribe(**wanted)


def cancel(world, number, wish=NOW, *, credit=False):
    command = CancelSubscription(subscription_id=number, wish=wish, credit_unused_time=credit)
    return world.do(command)


def status(world, number):
    return world.subscription(number).status


def test_case_96_undone_before_the_end_it_goes_on_with_the_same_anchor():
    world, _, number = sold()
    world.to(at(2025, 1, 15))
    cancel(world, number, LATER)
    world.to(at(2025, 1, 20))
    world.do(ReactivateSubscription(subscription_id=number))
    world.to(at(2025, 3, 2))
    assert [i.period.start for i in world.invoices()] == [at(2025, m) for m in (1, 2, 3)]
    assert world.subscription(number).anchor == at(2025)
    with pytest.raises(NotScheduledToCancel):
        world.do(ReactivateSubscription(subscription_id=number))


@pytest.mark.parametrize("wish", [LATER, on(date(2025, 2, 1))], ids=["period", "date"])
def test_it_ends_at_its_instant_without_another_invoice(wish):
    world, customer, number = sold()
    cancel(world, number, wish)
    world.to(at(2025, 6))
    assert status(world, number) is Status.CANCELED
    (ended,) = world.facts(SubscriptionCanceled)
    assert (ended.ended_at, ended.requested_at) == (at(2025, 2), at(2025))
    assert (len(world.invoices()), world.balance(customer)) == (1, 0)


def test_a_date_lets_renewals_go_on_and_cuts_the_last_period_without_credit():
    world, customer, number = sold()
    cancel(world, number, on(date(2025, 3, 15)), credit=True)
    world.to(at(2025, 6))
    assert [i.period.start for i in world.invoices()] == [at(2025, m) for m in (1, 2, 3)]
    assert world.balance(customer) == 0
    assert world.facts(SubscriptionCanceled)[0].ended_at == at(2025, 3, 15)


def test_why_and_by_whom_goes_from_the_schedule_into_the_end():
    world, _, number = sold()
    cancel(world, number, Cancellation(initiator=Initiator.CUSTOMER, **REASON))
    world.to(at(2025, 2))
    (ended,) = world.facts(SubscriptionCanceled)
    assert (ended.initiator, ended.feedback) == (Initiator.CUSTOMER, Feedback.TOO_COMPLEX)
    assert ended.comment == "Could not find the button"


def test_twice_the_same_is_recorded_once_and_another_wish_replaces_it():
    world, _, number = sold()
    cancel(world, number, LATER)
    assert cancel(world, number, Cancellation(**REASON)) == []
    cancel(world, number, on(date(2025, 3, 1)))
    assert len(world.facts(SubscriptionCancellationScheduled)) == 2
    cancel(world, number, NOW)
    for wish in (NOW, LATER, on(date(2025, 3, 1))):
        with pytest.raises(SubscriptionAlreadyEnded):
            cancel(world, number, wish)


@pytest.mark.parametrize(
    ("wish", "ends_at"),
    [(NOW, at(2025, 1, 10)), (LATER, at(2025, 1, 15)), (on(date(2025, 1, 12)), at(2025, 1, 12))],
)
def test_a_canceled_trial_charges_nothing(wish, ends_at):
    world, customer, number = sold(trial_ends_at=at(2025, 1, 15))
    world.to(at(2025, 1, 10))
    cancel(world, number, wish, credit=True)
    world.to(at(2025, 3))
    assert world.facts(SubscriptionCanceled)[0].ended_at == ends_at
    assert (world.invoices(), world.balance(customer)) == ([], 0)


def test_a_date_after_the_trial_bills_until_then():
    world, _, number = sold(trial_ends_at=at(2025, 1, 15))
    cancel(world, number, on(date(2025, 2, 20)))
    world.to(at(2025, 6))
    assert [i.period.start for i in world.invoices()] == [at(2025, 1, 15), at(2025, 2, 15)]


@pytest.mark.parametrize("wish", [NOW, LATER, on(date(2025, 2, 2))], ids=["now", "period", "date"])
def test_case_94_past_due_it_can_end_in_every_way_and_then_nothing_is_tried(wish):
    world, customer, number = sold()
    world.provider.say("works", DECLINED)
    world.to(at(2025, 2, 1, 12))
    assert status(world, number) is Status.PAST_DUE
    cancel(world, number, wish, credit=True)
    world.to(at(2025, 3, 1))
    assert status(world, number) is Status.CANCELED
    tried = len(world.attempts())
    world.to(at(2025, 6))
    assert len(world.attempts()) == tried
    assert world.balance(customer) == 0
    assert world.invoice(world.invoices()[-1].invoice_id).next_attempt_at is None


def test_paused_it_ends_at_once_and_never_resumes():
    world, customer, number = sold()
    world.to(at(2025, 1, 11))
    world.do(PauseSubscription(subscription_id=number, months=3))
    world.to(at(2025, 2, 1))
    cancel(world, number, LATER, credit=True)
    assert status(world, number) is Status.CANCELED
    assert world.balance(customer) == 0  # credit belongs to IMMEDIATE
    world.to(at(2025, 8))
    assert len(world.invoices()) == 1
    with pytest.raises(SubscriptionAlreadyEnded):
        world.do(ResumeSubscription(subscription_id=number))


def test_a_renewal_that_is_late_is_billed_before_the_end():
    world, _, number = sold()
    world.clock.at = at(2025, 3, 10)
    cancel(world, number, NOW)
    assert [f.period.start for f in world.facts(SubscriptionRenewed)] == [at(2025, 2), at(2025, 3)]
    assert len(world.paid()) == 3


def test_a_scheduled_end_that_is_late_keeps_its_instant():
    world, _, number = sold()
    cancel(world, number, LATER)
    world.clock.at = at(2025, 2, 10)
    for wish in (NOW, LATER):
        with pytest.raises(SubscriptionAlreadyEnded):
            cancel(world, number, wish)
    world.do(EndSubscription(subscription_id=number))
    assert world.facts(SubscriptionCanceled)[0].ended_at == at(2025, 2)


def test_a_pause_that_is_late_to_end_is_over_for_a_cancellation():
    world, customer, number = sold()
    world.to(at(2025, 1, 11))
    world.do(PauseSubscription(subscription_id=number, months=1))
    world.clock.at = at(2025, 2, 21)
    cancel(world, number, NOW, credit=True)
    assert world.balance(customer) == -1100  # 10 + 10 of 31 days are used
