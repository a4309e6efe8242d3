"""Payments of unknown outcome: asked after by timers, in real time, never charged twice."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from aggregates.invoice.events import InvoicePaymentPending
from kernel.ports.payments import Succeeded, Unknown
from kernel.timer import TimerKind
from subscribers.reacting import Reactor
from subscribers.reconcile_payments import ReconcilePayments
from tests.timekeeping import TimedWorld


SECOND = timedelta(seconds=1)


@pytest.fixture
def world():
    world = TimedWorld(datetime.now(UTC))
    world.monthly()
    world.customer("ada", "silent")
    world.subscribe()
    world.clock.at = world.store.log[-1].recorded_at
    return world


class Time:
    """Seconds that the patience of a scheduler counts, and the clock on the wall with them."""

    def __init__(self, world):
        self.world = world
        self.seconds = 0.0
        self.scheduler = world.scheduler(monotonic=lambda: self.seconds)

    def go(self, seconds):
        self.seconds += seconds
        self.world.clock.at += seconds * SECOND
        asyncio.run(self.scheduler.fire_due())
        asyncio.run(self.scheduler.fire_due())
        self.world.react()
        return len(self.world.asked)


def test_it_is_asked_after_ten_seconds_a_minute_ten_minutes_and_hours(world):
    [timer] = [t for t in world.views.all() if t.kind is TimerKind.RECONCILIATION]
    [pending] = [r for r in world.store.log if isinstance(r.fact, InvoicePaymentPending)]
    assert timer.due_at == pending.recorded_at + 10 * SECOND
    time = Time(world)
    assert [time.go(seconds) for seconds in (9, 2, 40, 15)] == [0, 1, 1, 2]
    assert [time.go(seconds) for seconds in (500, 60, 3_000, 700)] == [2, 3, 3, 4]


def test_what_the_provider_knows_by_then_settles_it(world):
    [key] = world.provider.calls
    world.provider.answers[key] = Succeeded(reference="late")
    Time(world).go(11)
    [paid] = world.paid()
    assert paid.payment_id == "late"
    assert world.provider.calls == [key], "never sent again"
    assert TimerKind.RECONCILIATION not in {timer.kind for timer in world.views.all()}
    assert TimerKind.RENEWAL in {timer.kind for timer in world.views.all()}


def test_what_never_arrived_is_sent_again_with_the_same_key(world):
    [key] = world.provider.calls
    world.provider.say("silent", Succeeded(reference="second try"))
    Time(world).go(11)
    assert world.provider.calls == [key, key]
    assert len(world.provider.charged) == len(world.paid()) == 1


def test_after_twelve_hours_it_is_given_up_and_not_sent(world):
    [key] = world.provider.calls
    Time(world).go(13 * 3_600)
    assert world.provider.calls == [key]
    assert world.names()[-1] != "invoice.paid"
    assert "invoice.payment_failed" in world.names()


def test_the_twelve_hours_count_from_the_attempt_however_late_it_was_found_unknown(world):
    [key] = world.provider.calls
    [pending] = [r for r in world.store.log if isinstance(r.fact, InvoicePaymentPending)]
    late = replace(pending, recorded_at=pending.recorded_at + 13 * 3_600 * SECOND)
    world.clock.at = late.recorded_at + 10 * SECOND
    reactor = Reactor("reconcile_payments", world.bus, world.tenants)
    asyncio.run(ReconcilePayments(reactor, world.provider).look(late))
    assert world.provider.calls == [key], "by now the provider may have forgotten its key"
    assert "invoice.payment_failed" in world.names()


def test_a_scheduler_that_starts_anew_asks_at_once(world):
    Time(world).go(11)
    assert len(world.asked) == 1
    Time(world).go(1)
    assert len(world.asked) == 2
    assert world.provider.say("silent", Unknown()) is None
