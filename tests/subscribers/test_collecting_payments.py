"""Charging attempts: what is asked, what becomes of the answers, what happens late."""

import asyncio
from datetime import timedelta

import pytest

from aggregates.invoice.events import FailureKind, InvoicePaymentStarted
from aggregates.subscription.events import Status
from commands.invoices.record_payment_failed import RecordPaymentFailed
from commands.invoices.record_payment_pending import RecordPaymentPending
from commands.invoices.record_payment_succeeded import RecordPaymentSucceeded
from kernel.money import Money
from kernel.ports.payments import Declined, NeedsAuthentication, Succeeded, Unknown
from subscribers.collect_payments import charge_of, outcome_of
from subscribers.collect_with_new_methods import react
from subscribers.reacting import Reactor
from subscribers.reconcile_payments import ReconcilePayments
from tests.billing_world import DECLINED, STOLEN, Tenants, World, at


@pytest.fixture
def world():
    world = World(at(2025, 1, 31))
    world.monthly("20.00")
    return world


def begun(world, card="silent"):
    """An attempt that the provider was silent about."""
    world.customer(card=card)
    number = world.subscribe()
    (started,) = world.attempts()
    return number, started


def pending(world):
    return next(r for r in world.store.log if r.name == "invoice.payment_pending.v1")


def reconciling(world):
    return ReconcilePayments(Reactor("r", world.bus, Tenants(world.tenant)), world.provider)


def test_the_provider_is_asked_with_the_key_of_the_attempt(world):
    _, started = begun(world)
    charge = charge_of(started)
    assert (charge.key, charge.method) == (started.provider_key, "silent")
    assert charge.amount == Money(2000, "USD")
    assert charge.description == f"Invoice {world.invoices()[0].number}"


@pytest.mark.parametrize(
    ("result", "kind", "failure"),
    [
        (Succeeded(reference="p"), RecordPaymentSucceeded, None),
        (DECLINED, RecordPaymentFailed, FailureKind.DECLINED),
        (STOLEN, RecordPaymentFailed, FailureKind.HARD),
        (NeedsAuthentication(), RecordPaymentFailed, FailureKind.AUTHENTICATION),
        (Unknown(), RecordPaymentPending, None),
    ],
)
def test_every_answer_has_its_command(world, result, kind, failure):
    _, started = begun(world)
    command = outcome_of(started, result)
    assert type(command) is kind
    assert (command.invoice_id, command.attempt) == (started.invoice_id, 1)
    if failure:
        assert command.kind is failure


def test_a_very_late_delivery_is_not_sent_but_looked_up(world):
    world.reactions, reactions = [], world.reactions
    world.customer(card="works")
    world.subscribe()
    world.clock.at = world.store.log[-1].recorded_at + timedelta(hours=13)
    recorded = next(r for r in world.store.log if isinstance(r.fact, InvoicePaymentStarted))
    asyncio.run(reactions[0].handle(recorded))
    assert world.provider.calls == []
    assert world.names()[-2:] == ["invoice.payment_pending", "transaction.pending"]


def test_case_92_what_the_provider_says_later_counts(world):
    number, started = begun(world)
    world.provider.answers[started.provider_key] = Succeeded(reference="late")
    asyncio.run(reconciling(world).look(pending(world)))
    world.react()
    assert world.subscription(number).status is Status.ACTIVE
    assert [type(t).__name__ for t in world.transactions()] == ["TransactionSucceeded"]
    before = len(world.store.log)
    asyncio.run(reconciling(world).look(pending(world)))
    assert len(world.store.log) == before


def test_what_never_reached_the_provider_is_sent_again_with_the_same_key(world):
    number, started = begun(world)
    world.clock.at = pending(world).recorded_at
    world.provider.say("silent", Succeeded(reference="again"))
    asyncio.run(reconciling(world).look(pending(world)))
    assert world.provider.calls == [started.provider_key] * 2
    assert world.subscription(number).status is Status.ACTIVE


def test_but_not_after_twelve_hours(world):
    number, started = begun(world)
    world.clock.at = pending(world).recorded_at + timedelta(hours=12)
    asyncio.run(reconciling(world).look(pending(world)))
    assert world.provider.calls == [started.provider_key]
    assert "transaction.failed" in world.names()
    assert world.subscription(number).status is Status.INCOMPLETE
    assert world.money_taken() == 0


def test_silence_goes_on(world):
    begun(world)
    world.clock.at = pending(world).recorded_at
    before = len(world.store.log)
    asyncio.run(reconciling(world).look(pending(world)))
    assert len(world.store.log) == before


def test_an_expiry_waits_for_an_unknown_outcome(world):
    number, started = begun(world)
    expires_at = world.subscription(number).expires_at
    world.clock.at = expires_at + timedelta(hours=1)
    _, command = min(world.timers(), key=lambda timer: timer[0])
    assert world.do(command) == []
    result = Declined(code="card_declined", message="no")
    world.do(outcome_of(started, result))
    assert world.subscription(number).status is Status.INCOMPLETE_EXPIRED


def test_a_method_that_waits_for_its_customer_is_not_tried(world):
    world.customer(card="works")
    recorded = next(r for r in world.store.log if r.name == "payment_method.added.v1")
    assert react(recorded).customer == recorded.owner
    object.__setattr__(recorded.fact, "needs_action", True)
    assert react(recorded) is None
