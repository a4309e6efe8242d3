"""The scheduler in real time: late, twice, at the same time, killed, and with one that fails."""

import asyncio

import pytest

from aggregates.invoice.events import InvoiceCreated, InvoicePaid
from aggregates.subscription.ending import Cancellation
from aggregates.subscription.events import (
    SubscriptionCanceled,
    SubscriptionRenewed,
    SubscriptionTrialConverted,
    SubscriptionTrialEndingSoon,
)
from commands.subscriptions.cancel_subscription import CancelSubscription
from commands.subscriptions.pause_subscription import PauseSubscription
from kernel.interval import ChargePeriod
from kernel.timer import TimerKind
from subscribers.timers import commands as table
from tests import catalog_builders as catalog
from tests.timekeeping import Killed, TimedWorld, at, once_each


JANUARY_31 = at(2025, 1, 31, 12)


@pytest.fixture
def world():
    world = TimedWorld(JANUARY_31)
    world.monthly()
    return world


def daily(world):
    charge = catalog.charge("1.00", ChargePeriod.DAILY)
    world.plan("daily", catalog.price(catalog.row(charge)))


def test_three_months_of_downtime_are_billed_in_order_each_once(world):
    world.customer("ada", "works")
    subscription = world.subscribe()
    world.pass_time(at(2025, 5, 1))
    assert world.renewals(subscription) == [
        at(2025, 2, 28, 12),
        at(2025, 3, 31, 12),
        at(2025, 4, 30, 12),
    ]
    assert len(world.paid()) == 4


def test_a_customers_subscriptions_are_made_up_for_in_order_of_time(world):
    daily(world)
    world.customer("ada", "works")
    monthly = world.subscribe()
    world.subscribe("daily", period=ChargePeriod.DAILY)
    world.pass_time(at(2025, 4, 2))
    renewed = world.facts(SubscriptionRenewed)
    starts = [fact.period.start for fact in renewed]
    assert starts == sorted(starts)
    assert [f.period.start for f in renewed if f.subscription_id == monthly] == [
        at(2025, 2, 28, 12),
        at(2025, 3, 31, 12),
    ]
    assert len(renewed) == 2 + 60


def test_two_schedulers_at_once_bill_once(world):
    subscriptions = []
    for number in range(20):
        world.customer(f"c{number}", "works")
        subscriptions.append(world.subscribe(customer_id=f"c{number}"))
    world.clock.at = at(2025, 4, 1)

    async def race():
        schedulers = [world.scheduler() for _ in range(3)]
        for _ in range(4):
            await asyncio.gather(*(scheduler.fire_due() for scheduler in schedulers))

    asyncio.run(race())
    for subscription in subscriptions:
        assert world.renewals(subscription) == [at(2025, 2, 28, 12), at(2025, 3, 31, 12)]
    assert once_each((i.sale.subscription.id, i.period.start) for i in world.invoices())


@pytest.mark.parametrize("appends", [0, 3, 7])
def test_a_scheduler_killed_in_the_middle_of_a_wave_leaves_nothing_half_done(world, appends):
    for number in range(8):
        world.customer(f"c{number}", "works")
        world.subscribe(customer_id=f"c{number}")
    world.clock.at = at(2025, 3, 1)
    world.store.dies_in = appends
    with pytest.raises((Killed, BaseExceptionGroup)):
        asyncio.run(world.scheduler().fire_due())
    world.store.dies_in = None
    world.pass_time(at(2025, 3, 1))
    assert len(world.renewals()) == 8
    assert once_each((i.sale.subscription.id, i.period.start) for i in world.invoices())
    assert once_each((fact.invoice_id) for fact in world.facts(InvoicePaid))


def test_one_that_fails_does_not_stop_the_others(world, monkeypatch, caplog):
    for name in ("ada", "bob"):
        world.customer(name, "works")
    poisoned = world.subscribe(customer_id="ada")
    healthy = world.subscribe(customer_id="bob")
    renew = table.COMMANDS[TimerKind.RENEWAL]

    def poison(timer):
        if timer.subject == poisoned:
            raise ZeroDivisionError
        return renew(timer)

    seconds = [0.0]
    monkeypatch.setitem(table.COMMANDS, TimerKind.RENEWAL, poison)
    world.clock.at = at(2025, 4, 1)
    scheduler = world.scheduler(monotonic=lambda: seconds[0])

    async def passes(count):
        for _ in range(count):
            await scheduler.fire_due()

    asyncio.run(passes(5))
    assert world.renewals(healthy) == [at(2025, 2, 28, 12), at(2025, 3, 31, 12)]
    assert world.renewals(poisoned) == []
    shouts = [record for record in caplog.records if "failed" in record.message]
    assert len(shouts) == 1, "it backs off"
    monkeypatch.setitem(table.COMMANDS, TimerKind.RENEWAL, renew)
    seconds[0] = 2.0
    asyncio.run(passes(3))
    assert world.renewals(poisoned) == [at(2025, 2, 28, 12), at(2025, 3, 31, 12)]


def test_a_view_that_lags_makes_nothing_happen_twice(world):
    world.customer("ada", "works")
    subscription = world.subscribe()
    world.clock.at = at(2025, 3, 1)
    world.views.frozen = True
    others = [world.scheduler(), world.scheduler()]
    for scheduler in others:
        asyncio.run(scheduler.fire_due())
    world.views.frozen = False
    world.views.catch_up()
    assert world.renewals(subscription) == [at(2025, 2, 28, 12)]


def test_a_scheduled_end_comes_before_the_renewal_of_its_instant(world):
    world.customer("ada", "works")
    subscription = world.subscribe()
    world.do(CancelSubscription(subscription_id=subscription, wish=Cancellation()))
    world.pass_time(at(2025, 6, 1))
    assert world.renewals() == []
    [canceled] = world.facts(SubscriptionCanceled)
    assert canceled.ended_at == at(2025, 2, 28, 12)
    assert world.views.all() == []


def test_a_trial_is_announced_converted_and_renewed(world):
    charge = catalog.charge("20.00")
    world.plan("try", catalog.price(catalog.row(charge), free_trial=True, trial_days=7))
    world.customer("ada", "works")
    world.subscribe("try")
    world.pass_time(at(2025, 2, 4, 12))
    assert [f.occurred_at for f in world.facts(SubscriptionTrialEndingSoon)] == [at(2025, 2, 4, 12)]
    world.pass_time(at(2025, 3, 8))
    [converted] = world.facts(SubscriptionTrialConverted)
    assert converted.anchor == at(2025, 2, 7, 12)
    assert world.renewals() == [at(2025, 3, 7, 12)]


def test_a_trial_that_ended_during_downtime_bills_one_period_at_a_time(world):
    charge = catalog.charge("20.00")
    world.plan("try", catalog.price(catalog.row(charge), free_trial=True, trial_days=7))
    world.customer("ada", "works")
    world.subscribe("try")
    world.pass_time(at(2025, 9, 1))
    issued = [recorded for recorded in world.store.log if type(recorded.fact) is InvoiceCreated]
    starts = [recorded.fact.period.start for recorded in issued]
    assert starts == [at(2025, month, 7, 12) for month in range(2, 9)]
    assert len({recorded.command_id for recorded in issued}) == 7, "each is a command of its own"
    assert len(world.paid()) == 7


def test_a_pause_that_ended_during_downtime_bills_one_period_at_a_time(world):
    world.customer("ada", "works")
    subscription = world.subscribe()
    world.pass_time(at(2025, 2, 10, 12))
    world.do(PauseSubscription(subscription_id=subscription, months=1))
    world.pass_time(at(2025, 8, 1))
    renewed = [r for r in world.store.log if type(r.fact) is SubscriptionRenewed]
    assert [r.fact.period.start.month for r in renewed] == [3, 4, 5, 6, 7]
    assert len({recorded.command_id for recorded in renewed}) == 5


def test_an_unpaid_start_expires(world):
    world.customer("ada")
    world.subscribe()
    world.pass_time(at(2025, 2, 1, 11, 59))
    assert world.names()[-1] != "subscription.incomplete_expired"
    world.pass_time(at(2025, 2, 1, 12))
    assert "subscription.incomplete_expired" in world.names()
    assert world.views.all() == []
