"""Pauses in the whole billing core: what is invoiced, credited and collected, and what is not."""

import pytest

from aggregates.subscription import changing
from aggregates.subscription.ending import Cancellation
from aggregates.subscription.events import CancellationType, Status
from aggregates.subscription.pausing import AlreadyPaused, ChangePending, NotPaused
from commands.subscriptions.cancel_subscription import CancelSubscription
from commands.subscriptions.pause_subscription import (
    EndPause,
    PauseSubscription,
    ResumeSubscription,
)
from commands.subscriptions.renew_subscription import RenewSubscription
from commands.subscriptions.update_subscription import UpdateSubscription
from kernel.interval import Period
from kernel.ports.payments import NeedsAuthentication, Succeeded, Unknown
from tests.billing_world import DECLINED, World, at


NOW = Cancellation(type=CancellationType.IMMEDIATE)


def sold(amount="30.00", now=None, card="works"):
    world = World(now or at(2025))
    world.monthly(amount)
    customer = world.customer(card=card)
    return world, customer, world.subscribe()


def pause(world, number, months=None, until=None):
    world.do(PauseSubscription(subscription_id=number, months=months, resumes_at=until))


def cancel(world, number):
    world.do(CancelSubscription(subscription_id=number, wish=NOW, credit_unused_time=True))


def test_case_100_the_unused_days_follow_the_pause():
    world, _, number = sold()
    world.to(at(2025, 1, 15))
    pause(world, number, months=2)
    state = world.subscription(number)
    assert (state.status, state.pause.resumes_at) == (Status.PAUSED, at(2025, 3, 15))
    world.to(at(2025, 3, 14, 23))
    assert world.subscription(number).status is Status.PAUSED
    world.to(at(2025, 3, 31, 23))
    state = world.subscription(number)
    assert (state.status, state.period) == (Status.ACTIVE, Period(at(2025), at(2025, 4)))
    assert len(world.invoices()) == 1
    world.to(at(2025, 4, 1))
    assert [i.period for i in world.invoices()][1:] == [Period(at(2025, 4), at(2025, 5))]
    assert world.subscription(number).anchor == at(2025, 4)


def test_case_100b_paused_time_does_not_count_in_a_credit():
    world, customer, number = sold()
    world.to(at(2025, 1, 15))
    pause(world, number, months=2)
    world.to(at(2025, 3, 20))
    cancel(world, number)
    assert world.balance(customer) == -1161


def test_a_credit_during_the_pause_is_that_of_its_first_instant():
    world, customer, number = sold("31.00")
    world.to(at(2025, 1, 15))
    pause(world, number, months=2)
    world.to(at(2025, 3, 1))
    cancel(world, number)
    assert world.balance(customer) == -1700
    assert world.invoices()[-1].lines[0].description == ("Unused time, 15 Jan 2025 to 31 Jan 2025")


def test_two_pauses_of_one_period_both_count_as_no_time():
    world, customer, number = sold("31.00")
    for day, months in ((5, 1), (8, 2)):
        world.to(at(2025, 1 if day == 5 else 2, day))
        pause(world, number, months=months)
    world.to(at(2025, 4, 11))
    state = world.subscription(number)
    assert state.period.counted(state.pauses).days == 31
    cancel(world, number)
    assert world.balance(customer) == -2100  # 4 + 3 + 3 days are used


def test_a_pause_of_a_later_period_leaves_the_first_alone():
    world, customer, number = sold("28.00")
    world.to(at(2025, 1, 15))
    pause(world, number, until=at(2025, 1, 16))
    world.to(at(2025, 2, 9))
    cancel(world, number)
    assert world.balance(customer) == -2100  # [2 Feb, 2 Mar): 21 of 28 days


@pytest.mark.parametrize(("months", "resumes_at"), [(1, at(2025, 2, 28)), (2, at(2025, 3, 31))])
def test_case_102_months_from_the_last_day(months, resumes_at):
    world, _, number = sold(now=at(2025, 1, 31))
    pause(world, number, months=months)
    assert world.subscription(number).pause.resumes_at == resumes_at


def test_case_103_a_renewal_job_finds_nothing_to_do():
    world, _, number = sold()
    world.to(at(2025, 1, 15))
    pause(world, number, months=2)
    world.clock.at = at(2025, 2, 2)
    assert world.do(RenewSubscription(subscription_id=number, period_start=at(2025, 2))) == []


def test_pause_and_resume_happen_once():
    world, _, number = sold()
    world.to(at(2025, 1, 15))
    pause(world, number, months=2)
    with pytest.raises(AlreadyPaused):
        pause(world, number, months=2)
    world.to(at(2025, 1, 20))
    world.do(ResumeSubscription(subscription_id=number))
    with pytest.raises(NotPaused):
        world.do(ResumeSubscription(subscription_id=number))
    assert world.do(EndPause(subscription_id=number)) == []
    assert world.subscription(number).period.end == at(2025, 2, 6)


def test_a_pause_that_ends_late_is_followed_by_what_was_missed():
    world, _, number = sold()
    world.to(at(2025, 1, 15))
    pause(world, number, months=2)
    world.clock.at = at(2025, 5, 2)
    world.do(EndPause(subscription_id=number))
    world.to(world.clock.at)
    periods = [invoice.period.start for invoice in world.invoices()]
    assert periods == [at(2025), at(2025, 4), at(2025, 5)]


def test_a_renewal_that_is_late_is_billed_before_the_pause():
    world, _, number = sold()
    world.clock.at = at(2025, 2, 3)
    pause(world, number, months=1)
    assert [i.period.start for i in world.invoices()] == [at(2025), at(2025, 2)]
    state = world.subscription(number)
    assert (state.status, state.period.start) == (Status.PAUSED, at(2025, 2))


def test_a_payment_that_fails_during_the_pause_is_tried_again_when_it_is_over():
    world, _, number = sold()
    world.provider.say("works", Unknown())
    world.to(at(2025, 2, 1))
    pause(world, number, until=at(2025, 2, 11))
    (attempt,) = world.attempts()[1:]
    world.provider.answers[attempt.provider_key] = DECLINED
    world.provider.say("works", DECLINED)
    world.handled = 0
    world.react()
    assert world.subscription(number).status is Status.PAUSED
    world.to(at(2025, 2, 11))
    assert world.subscription(number).status is Status.PAST_DUE
    assert world.invoice(attempt.invoice_id).attempts == 2


def test_everything_that_failed_during_the_pause_is_collected_when_it_is_over():
    world, _, number = sold()
    world.monthly("60.00", "max")
    world.provider.say("works", Unknown())
    world.to(at(2025, 2, 1))
    world.do(UpdateSubscription(subscription_id=number, plan="max"))
    pause(world, number, until=at(2025, 2, 11))
    for attempt in world.attempts()[1:]:
        world.provider.answers[attempt.provider_key] = DECLINED
    world.provider.say("works", DECLINED)
    world.handled = 0
    world.react()
    world.provider.say("works", Succeeded(reference="at last"))
    world.to(at(2025, 2, 11))
    assert world.money_taken() == 3000 + 3000 + 3000
    assert world.subscription(number).status is Status.ACTIVE


def test_what_waits_for_its_payment_cannot_pause():
    world, _, number = sold()
    world.monthly("90.00", "max")
    update = UpdateSubscription(subscription_id=number, plan="max", activate_on_payment=True)
    world.provider.say("works", NeedsAuthentication())
    world.to(at(2025, 1, 10))
    world.do(update)
    assert world.subscription(number).pending is not None
    with pytest.raises(ChangePending):
        pause(world, number, months=1)


def test_what_is_paused_cannot_change():
    world, _, number = sold()
    world.monthly("90.00", "max")
    pause(world, number, months=1)
    with pytest.raises(changing.SubscriptionPaused):
        world.do(UpdateSubscription(subscription_id=number, plan="max"))


def test_a_change_after_a_pause_counts_no_paused_time():
    world, _, number = sold("31.00")
    world.monthly("62.00", "max")
    world.to(at(2025, 1, 11))
    pause(world, number, months=2)
    world.to(at(2025, 3, 12))  # 1 day after it, 20 of 31 are left
    world.do(UpdateSubscription(subscription_id=number, plan="max"))
    assert [line.amount.units for line in world.invoices()[-1].lines] == [-2000, 4000]
