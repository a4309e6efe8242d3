"""What changes to a subscription do to its period, and what is refused (design 13: Update)."""

from datetime import timedelta

import pytest

from aggregates.subscription import changing
from aggregates.subscription.changing import (
    Charging,
    OneTimePurchase,
    SubscriptionIncomplete,
    SubscriptionPaused,
    TrialIsOver,
)
from aggregates.subscription.decide import SubscriptionNotFound, TrialEndsTooEarly
from aggregates.subscription.ending import SubscriptionAlreadyEnded
from aggregates.subscription.pauses import SubscriptionPaused as Paused
from aggregates.subscription.state import SUBSCRIPTION
from kernel.interval import ChargePeriod
from kernel.settings import ProrationBehavior
from tests import builders as given
from tests.builders import APRIL_1, MARCH, MARCH_1, MARCH_8, MARCH_15, SUB, contract
from tests.story import Given


DEARER = contract(4000)
PAUSED = Paused(subscription_id=SUB, period=MARCH, resumes_at=APRIL_1, occurred_at=MARCH_8)


@pytest.mark.parametrize(
    ("facts", "refusal"),
    [
        ((), SubscriptionNotFound),
        ((given.incomplete(),), SubscriptionIncomplete),
        ((given.one_time(),), OneTimePurchase),
        ((given.created(), PAUSED), SubscriptionPaused),
        ((given.created(), given.canceled(at=MARCH_8)), SubscriptionAlreadyEnded),
        ((given.created(), given.ending(ends_at=MARCH_15)), SubscriptionAlreadyEnded),
    ],
)
def test_what_does_not_run_is_not_changed(facts, refusal):
    with pytest.raises(refusal):
        changing.require_changeable(SUBSCRIPTION.of(facts), at=MARCH_15)


@pytest.mark.parametrize(
    "facts",
    [(given.created(),), (given.trialing(until=APRIL_1),), (given.created(), given.past_due())],
)
def test_what_runs_may_change(facts):
    changing.require_changeable(SUBSCRIPTION.of(facts), at=MARCH_15)


@pytest.mark.parametrize(
    ("behavior", "charging", "credits_rest", "defers"),
    [
        (ProrationBehavior.IMMEDIATE_CHARGE, Charging.REST, True, False),
        (ProrationBehavior.PRORATE_NEXT_INVOICE, Charging.REST, True, True),
        (ProrationBehavior.NO_PRORATION, Charging.NOTHING, False, False),
    ],
)
def test_the_same_interval_keeps_its_period(behavior, charging, credits_rest, defers):
    taken = changing.step(SUBSCRIPTION.of([given.created()]), DEARER, behavior, at=MARCH_15)
    assert (taken.anchor, taken.period) == (MARCH_1, MARCH)
    assert (taken.charging, taken.credits, taken.defers) == (charging, credits_rest, defers)


@pytest.mark.parametrize("behavior", list(ProrationBehavior))
def test_another_interval_begins_now(behavior):
    yearly = contract(period=ChargePeriod.YEARLY)
    taken = changing.step(SUBSCRIPTION.of([given.created()]), yearly, behavior, at=MARCH_15)
    assert (taken.anchor, taken.period.start, taken.defers) == (MARCH_15, MARCH_15, False)
    assert taken.charging is Charging.WHOLE
    assert taken.credits == (behavior is not ProrationBehavior.NO_PRORATION)


def test_on_trial_nothing_is_billed():
    on_trial = SUBSCRIPTION.of([given.trialing(until=APRIL_1)])
    taken = changing.step(on_trial, DEARER, ProrationBehavior.IMMEDIATE_CHARGE, at=MARCH_8)
    assert (taken.charging, taken.credits) == (Charging.NOTHING, False)
    assert taken.period == on_trial.period


def test_a_trial_moves_into_the_future_alone():
    on_trial = Given(SUBSCRIPTION, given.trialing(until=MARCH_15))
    on_trial.when(changing.move_trial, ends_at=MARCH_8, at=MARCH_8).then_refused(TrialEndsTooEarly)
    on_trial.when(changing.move_trial, ends_at=MARCH_15, at=MARCH_8).then_nothing()
    running = Given(SUBSCRIPTION, given.created())
    running.when(changing.move_trial, ends_at=APRIL_1, at=MARCH_8).then_refused(TrialIsOver)


def test_a_change_waits_for_a_day_and_never_beyond_the_period():
    state = SUBSCRIPTION.of([given.created()])
    behavior = ProrationBehavior.IMMEDIATE_CHARGE
    for at, expires_at in (
        (MARCH_15, MARCH_15 + timedelta(days=1)),
        (APRIL_1 - timedelta(hours=1), APRIL_1),
    ):
        taken = changing.step(state, DEARER, behavior, at=at)
        (asked,) = changing.request(state, taken, change_id=SUB, invoice_id=given.INVOICE, at=at)
        assert asked.expires_at == expires_at
        waits = Given(SUBSCRIPTION, given.created(), asked)
        waits.when(changing.expire_change, at=expires_at - timedelta(microseconds=1)).then_nothing()
        (gone,) = changing.expire_change(waits.state, at=expires_at)
        Given(SUBSCRIPTION, *waits.facts, gone).when(
            changing.expire_change, at=expires_at
        ).then_nothing()
