"""Test clocks: any distance, in order, killed anywhere, and in one step as in many."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aggregates.subscription.ending import Cancellation
from aggregates.subscription.events import (
    CancellationType,
    SubscriptionBecamePastDue,
    SubscriptionCanceled,
    SubscriptionRecovered,
    SubscriptionRenewed,
)
from aggregates.test_clock.decide import ClockAdvancing, ClockOnlyMovesForward
from aggregates.test_clock.state import TEST_CLOCK
from commands.subscriptions.cancel_subscription import CancelSubscription
from kernel.interval import ChargePeriod
from kernel.ports.payments import Succeeded, Unknown
from tests import catalog_builders as catalog
from tests.billing_world import DECLINED
from tests.timekeeping import Killed, TimedWorld, at, once_each


JANUARY_31 = at(2024, 1, 31, 12)
NOW = at(2026, 3, 1)


@pytest.fixture
def world():
    return on_sale()


def on_sale():
    world = TimedWorld(NOW)
    world.monthly()
    charge = catalog.charge("1.00", ChargePeriod.DAILY)
    world.plan("daily", catalog.price(catalog.row(charge)))
    world.plan("try", catalog.price(free_trial=True, trial_days=7))
    return world


def live(world, name, card, clock, plan="pro", period=ChargePeriod.MONTHLY):
    world.customer(name, card, test_clock_id=clock)
    return world.subscribe(plan, name, period)


def test_month_ends_are_kept_through_a_leap_year(world):
    clock = world.test_clock(JANUARY_31)
    live(world, "ada", "works", clock)
    world.advance(clock, at(2024, 6, 1))
    days = [(start.month, start.day, start.hour) for start in world.renewals()]
    assert days == [(2, 29, 12), (3, 31, 12), (4, 30, 12), (5, 31, 12)]


def test_ten_years_in_one_call_are_lived_month_by_month(world):
    clock = world.test_clock(JANUARY_31)
    live(world, "ada", "works", clock)
    world.advance(clock, at(2034, 1, 31, 12))
    renewed = world.facts(SubscriptionRenewed)
    assert [fact.number for fact in renewed] == list(range(1, 121))
    assert all(fact.occurred_at == fact.period.start for fact in renewed)
    assert len(world.paid()) == 121
    assert [paid.occurred_at for paid in world.paid()][1:] == [f.period.start for f in renewed]


def test_declines_are_retried_and_come_right_on_the_way(world):
    world.provider.say(
        "moody", Succeeded(reference="p"), DECLINED, DECLINED, Succeeded(reference="q")
    )
    clock = world.test_clock(JANUARY_31)
    live(world, "ada", "moody", clock)
    world.advance(clock, at(2024, 4, 1))
    [behind] = world.facts(SubscriptionBecamePastDue)
    [recovered] = world.facts(SubscriptionRecovered)
    assert behind.occurred_at == at(2024, 2, 29, 12)
    assert recovered.occurred_at == at(2024, 3, 2, 12)
    assert world.renewals() == [at(2024, 2, 29, 12), at(2024, 3, 31, 12)]


def test_a_card_that_never_works_ends_the_subscription(world):
    world.provider.say("empty", Succeeded(reference="p"), DECLINED)
    clock = world.test_clock(JANUARY_31)
    live(world, "ada", "empty", clock)
    world.advance(clock, at(2025, 1, 1))
    [canceled] = world.facts(SubscriptionCanceled)
    assert canceled.ended_at == at(2024, 3, 14, 12)
    assert len(world.attempts()) == 1 + 9
    assert world.views.all() == []


def test_a_client_waits_while_the_clock_moves(world):
    clock = world.test_clock(JANUARY_31)
    subscription = live(world, "ada", "works", clock)
    cancel = CancelSubscription(subscription_id=subscription, wish=Cancellation())
    world.start(clock, at(2024, 6, 1))
    with pytest.raises(ClockAdvancing):
        world.do(cancel)
    with pytest.raises(ClockAdvancing):
        world.start(clock, at(2024, 7, 1))
    world.finish(clock)
    assert world.do(cancel)
    with pytest.raises(ClockOnlyMovesForward):
        world.start(clock, JANUARY_31)


def test_other_customers_live_on_while_a_clock_moves(world):
    world.start(world.test_clock(JANUARY_31), at(2024, 6, 1))
    world.customer("bob", "works")
    world.subscribe(customer_id="bob")
    assert world.paid()[0].occurred_at == NOW


@pytest.mark.parametrize("appends", [0, 1, 2, 5, 9])
def test_a_killed_advance_is_finished_by_the_next_process(world, appends):
    clock = world.test_clock(JANUARY_31)
    for name in ("ada", "bob", "cyd"):
        live(world, name, "works", clock)
    world.start(clock, at(2024, 5, 1))
    world.store.dies_in = appends
    with pytest.raises((Killed, BaseExceptionGroup)):
        world.finish(clock)
    world.store.dies_in = None
    world.react()
    world.finish(clock)
    assert world.state(TEST_CLOCK, clock).frozen_time == at(2024, 5, 1)
    assert len(world.renewals()) == 9
    assert once_each((i.sale.subscription.id, i.period.start) for i in world.invoices())
    assert len(world.paid()) == len(world.invoices()) == 12


def test_a_payment_of_unknown_outcome_does_not_hold_the_clock(world):
    world.provider.say("silent", Succeeded(reference="p"), Unknown())
    clock = world.test_clock(JANUARY_31)
    live(world, "ada", "silent", clock)
    world.advance(clock, at(2024, 4, 1))
    assert len(world.renewals()) == 2
    assert len(world.paid()) == 1


def test_two_clocks_are_two_times(world):
    early, late = world.test_clock(at(2020)), world.test_clock(at(2030))
    first = live(world, "ada", "works", early)
    second = live(world, "bob", "works", late)
    world.advance(early, at(2020, 3, 1))
    assert world.renewals(first) == [at(2020, 2, 1), at(2020, 3, 1)]
    assert world.renewals(second) == []


def test_nothing_of_a_clock_happens_by_the_clock_on_the_wall(world):
    live(world, "ada", "works", world.test_clock(at(2020)))
    world.pass_time(at(2027))
    assert world.renewals() == []


def story(steps):
    """A year with a trial, a daily plan, failures and an end, in one or many steps."""
    world = on_sale()
    world.provider.say(
        "moody", Succeeded(reference="p"), DECLINED, DECLINED, Succeeded(reference="q")
    )
    clock = world.test_clock(JANUARY_31)
    live(world, "ada", "moody", clock)
    live(world, "bob", "works", clock, "try")
    ending = live(world, "cyd", "works", clock, "daily", ChargePeriod.DAILY)
    live(world, "dan", "stolen", clock, "try")
    world.do(
        CancelSubscription(
            subscription_id=ending,
            wish=Cancellation(type=CancellationType.SPECIFIC_DATE, on=at(2024, 2, 20).date()),
        )
    )
    since = len(world.store.log)
    for step in steps:
        world.advance(clock, step)
    facts = [r for r in world.store.log[since:] if not r.name.startswith("test_clock")]
    told = {}
    for recorded in facts:
        told.setdefault(recorded.owner, []).append((recorded.name, *essence(recorded.fact)))
    return told


def essence(fact):
    return fact.occurred_at, getattr(fact, "amount", None), getattr(fact, "totals", None)


WHOLE = None


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.datetimes(at(2024, 2, 1).replace(tzinfo=None), at(2024, 5, 31).replace(tzinfo=None)),
        max_size=6,
    )
)
def test_an_advance_in_steps_is_the_same_as_in_one(moments):
    end = at(2024, 6, 1)
    steps = [moment.replace(tzinfo=end.tzinfo) for moment in sorted(moments)]
    global WHOLE  # noqa: PLW0603 computed once
    WHOLE = WHOLE or story([end])
    assert story([*steps, end]) == WHOLE


def test_two_processes_that_move_one_clock_do_it_once(world):
    clock = world.test_clock(JANUARY_31)
    for name in ("ada", "bob"):
        live(world, name, "works", clock)
    world.start(clock, at(2024, 6, 1))

    async def race():
        await asyncio.gather(world.move(clock), world.move(clock))

    asyncio.run(race())
    assert len(world.renewals()) == 8
    assert len(world.paid()) == len(world.invoices()) == 10
    assert len(world.provider.charged) == 10
    assert world.names().count("test_clock.advance_finished") == 1
