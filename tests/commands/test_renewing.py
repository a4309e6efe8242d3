"""Renewals, trials that convert, and catching up: every period once, from the anchor."""

from datetime import timedelta

import pytest

from aggregates.order.events import OrderCreated
from aggregates.subscription.ending import Cancellation
from aggregates.subscription.events import (
    CancellationType,
    Status,
    SubscriptionCanceled,
    SubscriptionTrialEndingSoon,
)
from commands.subscriptions.cancel_subscription import CancelSubscription
from commands.subscriptions.end_trial import EndTrial
from commands.subscriptions.reactivate_subscription import ReactivateSubscription
from commands.subscriptions.renew_subscription import RenewSubscription
from kernel.interval import ChargePeriod, Period
from tests import catalog_builders as catalog
from tests.billing_world import World, at


def world_at(instant, **fields):
    world = World(instant)
    world.monthly("20.00", **fields)
    world.customer(card="works")
    return world


def starts(world):
    return [invoice.period.start for invoice in world.invoices()]


def test_case_1_a_month_end_anchor_never_drifts():
    world = world_at(at(2025, 1, 31))
    world.subscribe()
    world.to(at(2025, 6, 30))
    assert starts(world) == [
        at(2025, 1, 31),
        at(2025, 2, 28),
        at(2025, 3, 31),
        at(2025, 4, 30),
        at(2025, 5, 31),
        at(2025, 6, 30),
    ]


def test_case_4_a_leap_day_comes_back():
    world = World(at(2024, 2, 29))
    yearly = catalog.charge("200.00", ChargePeriod.YEARLY)
    world.plan("pro", catalog.price(catalog.row(yearly)))
    world.customer(card="works")
    world.subscribe(period=ChargePeriod.YEARLY)
    world.to(at(2028, 2, 29))
    assert starts(world)[1:] == [
        at(2025, 2, 28),
        at(2026, 2, 28),
        at(2027, 2, 28),
        at(2028, 2, 29),
    ]


def test_case_7_weekly():
    world = World(at(2025, 1, 31, 10))
    weekly = catalog.charge("5.00", ChargePeriod.WEEKLY)
    world.plan("pro", catalog.price(catalog.row(weekly)))
    world.customer(card="works")
    world.subscribe(period=ChargePeriod.WEEKLY)
    world.to(at(2025, 2, 14, 10))
    assert starts(world)[1:] == [at(2025, 2, 7, 10), at(2025, 2, 14, 10)]


def test_case_14_the_end_of_a_period_belongs_to_the_next():
    world = world_at(at(2025, 3, 1))
    number = world.subscribe()
    world.to(at(2025, 4, 1) - timedelta(microseconds=1))
    assert len(world.invoices()) == 1
    world.to(at(2025, 4, 1))
    assert world.subscription(number).period == Period(at(2025, 4, 1), at(2025, 5, 1))


def test_a_renewal_makes_an_order_that_says_so_and_is_paid():
    world = world_at(at(2025, 3, 1))
    world.subscribe()
    before = len(world.store.log)
    world.to(at(2025, 4, 1))
    assert world.names(before) == [
        "subscription.renewed",
        "invoice.created",
        "order.created",
        "invoice.payment_started",
        "invoice.paid",
        "order.completed",
        "transaction.succeeded",
    ]
    assert [order.is_renewal for order in world.facts(OrderCreated)] == [False, True]
    assert world.money_taken() == 4000


def test_a_timer_that_fires_twice_early_or_for_another_period_changes_nothing():
    world = world_at(at(2025, 3, 1))
    number = world.subscribe()
    renewal = RenewSubscription(subscription_id=number, period_start=at(2025, 4, 1))
    assert world.do(renewal) == []
    world.to(at(2025, 4, 1))
    before = len(world.store.log)
    assert world.do(renewal) == []
    later = RenewSubscription(subscription_id=number, period_start=at(2025, 6, 1))
    assert world.do(later) == []
    assert len(world.store.log) == before


def test_after_an_outage_missed_periods_are_billed_in_order_each_once():
    world = world_at(at(2025, 1, 31))
    number = world.subscribe()
    world.clock.at = at(2025, 5, 2)
    world.to(at(2025, 5, 2))
    assert starts(world) == [at(2025, 1, 31), at(2025, 2, 28), at(2025, 3, 31), at(2025, 4, 30)]
    assert world.subscription(number).status is Status.ACTIVE
    assert world.money_taken() == 8000


def test_cases_15_and_16_a_trial_ends_after_whole_days_and_is_the_anchor():
    world = world_at(at(2025, 3, 5, 10), free_trial=True, trial_days=7)
    number = world.subscribe()
    world.to(at(2025, 3, 12, 10))
    state = world.subscription(number)
    assert state.status is Status.ACTIVE
    assert state.anchor == at(2025, 3, 12, 10)
    assert state.period == Period(at(2025, 3, 12, 10), at(2025, 4, 12, 10))
    assert len(world.facts(SubscriptionTrialEndingSoon)) == 1
    assert world.facts(SubscriptionTrialEndingSoon)[0].occurred_at == at(2025, 3, 9, 10)
    assert world.money_taken() == 2000


def test_a_trial_that_ends_late_is_billed_from_where_it_ended():
    world = world_at(at(2025, 3, 5), free_trial=True, trial_days=7)
    number = world.subscribe()
    world.clock.at = at(2025, 5, 20)
    world.do(EndTrial(subscription_id=number))
    assert starts(world) == [at(2025, 3, 12)]
    world.to(world.clock.at)
    assert starts(world) == [at(2025, 3, 12), at(2025, 4, 12), at(2025, 5, 12)]
    assert world.do(EndTrial(subscription_id=number)) == []


def test_a_trial_end_without_a_method_is_a_hard_decline():
    world = World(at(2025, 3, 5))
    world.monthly("20.00", free_trial=True, trial_days=7)
    world.customer()
    number = world.subscribe()
    world.to(at(2025, 3, 12))
    state = world.subscription(number)
    assert state.status is Status.PAST_DUE
    assert state.dunning.next_retry_at is None
    world.to(at(2025, 3, 26))
    assert world.subscription(number).status is Status.CANCELED
    assert world.attempts() == []


@pytest.mark.parametrize(
    ("kind", "ends"),
    [
        (CancellationType.IMMEDIATE, at(2025, 3, 7)),
        (CancellationType.CURRENT_PERIOD_ENDS, at(2025, 3, 12)),
    ],
)
def test_case_19_a_canceled_trial_costs_nothing(kind, ends):
    world = world_at(at(2025, 3, 5), free_trial=True, trial_days=7)
    number = world.subscribe()
    world.to(at(2025, 3, 7))
    world.do(CancelSubscription(subscription_id=number, wish=Cancellation(type=kind)))
    world.to(at(2025, 6, 1))
    assert world.subscription(number).status is Status.CANCELED
    (ended,) = world.facts(SubscriptionCanceled)
    assert ended.occurred_at == ends
    assert world.money_taken() == 0
    assert world.invoices() == []


def test_a_scheduled_end_stops_renewals_and_comes_before_the_renewal_of_that_instant():
    world = world_at(at(2025, 1, 31))
    number = world.subscribe()
    world.do(CancelSubscription(subscription_id=number, wish=Cancellation()))
    assert world.subscription(number).status is Status.ACTIVE
    world.to(at(2025, 12, 1))
    assert world.subscription(number).status is Status.CANCELED
    assert len(world.invoices()) == 1


def test_case_96_a_scheduled_end_can_be_taken_back():
    world = world_at(at(2025, 1, 31))
    number = world.subscribe()
    world.do(CancelSubscription(subscription_id=number, wish=Cancellation()))
    world.do(ReactivateSubscription(subscription_id=number))
    world.to(at(2025, 3, 31))
    assert starts(world) == [at(2025, 1, 31), at(2025, 2, 28), at(2025, 3, 31)]


def test_renewals_before_a_specific_date_go_on_in_full():
    world = world_at(at(2025, 1, 31))
    number = world.subscribe()
    on = at(2025, 3, 10).date()
    wish = Cancellation(type=CancellationType.SPECIFIC_DATE, on=on)
    world.do(CancelSubscription(subscription_id=number, wish=wish))
    world.to(at(2025, 3, 10))
    assert world.subscription(number).status is Status.CANCELED
    assert world.money_taken() == 4000
