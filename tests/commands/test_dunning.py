"""Collecting what was refused: retries, hard declines, new cards (design 8, cases 88 to 94)."""

import asyncio
from datetime import timedelta

import pytest

from aggregates.invoice.events import InvoicePaymentFailed
from aggregates.invoice.events import Status as InvoiceStatus
from aggregates.payment_method.events import PaymentMethodAdded, PaymentMethodMadeDefault
from aggregates.subscription.ending import Cancellation
from aggregates.subscription.events import (
    CancellationType,
    Initiator,
    Status,
    SubscriptionCanceled,
    SubscriptionFellFurtherBehind,
)
from commands.invoices.record_payment_failed import RecordPaymentFailed
from commands.invoices.record_payment_succeeded import RecordPaymentSucceeded
from commands.payment_methods.change_payment_method import ChangePaymentMethod
from commands.subscriptions.cancel_subscription import CancelSubscription
from commands.subscriptions.retry_payments import RetryPayments
from kernel.interval import ChargePeriod
from kernel.ports.payments import Succeeded, Unknown
from kernel.settings import DUNNING_DAYS
from subscribers.collect_with_new_methods import CollectWithNewMethods
from subscribers.reacting import Reactor
from tests.billing_world import DECLINED, STOLEN, Tenants, World, at
from tests.catalog_builders import charge, price, row


START = at(2024, 12, 31, 12)
FAILED = at(2025, 1, 31, 12)
PAYS = Succeeded(reference="pay-1")


@pytest.fixture
def world():
    """A subscription whose first month is paid by a card that then fails."""
    world = World(START)
    world.monthly("20.00")
    return world


def subscribed(world, *later, card="card"):
    world.provider.say(card, PAYS, *later)
    world.customer(card=card)
    return world.subscribe()


def second_invoice(world):
    return world.invoice(world.invoices()[1].invoice_id)


def test_case_88_eight_retries_then_the_provider_ends_it(world):
    number = subscribed(world, DECLINED)
    world.to(FAILED)
    assert world.subscription(number).status is Status.PAST_DUE
    assert second_invoice(world).next_attempt_at == FAILED + timedelta(days=1)
    world.to(at(2025, 2, 14, 12))
    tries = [attempt.occurred_at for attempt in world.attempts()[1:]]
    assert tries == [FAILED + timedelta(days=days) for days in (0, *DUNNING_DAYS)]
    assert world.subscription(number).status is Status.CANCELED
    (canceled,) = world.facts(SubscriptionCanceled)
    assert canceled.initiator is Initiator.PROVIDER
    assert canceled.occurred_at == at(2025, 2, 14, 12)
    invoice = second_invoice(world)
    assert (invoice.attempts, invoice.next_attempt_at) == (9, None)
    assert invoice.status is InvoiceStatus.PAYMENT_FAILED
    assert world.timers() == []


def test_each_failure_says_when_the_next_try_is(world):
    subscribed(world, DECLINED)
    world.to(at(2025, 2, 14, 12))
    said = [fact.next_attempt_at for fact in world.facts(InvoicePaymentFailed)]
    assert said == [*(FAILED + timedelta(days=days) for days in DUNNING_DAYS), None]


def test_case_89_a_try_that_succeeds_keeps_period_and_anchor(world):
    number = subscribed(world, DECLINED, DECLINED, DECLINED, PAYS)
    world.to(FAILED)
    period = world.subscription(number).period
    world.to(FAILED + timedelta(days=3))
    state = world.subscription(number)
    assert (state.status, state.dunning) == (Status.ACTIVE, None)
    assert (state.anchor, state.period) == (START, period)
    assert second_invoice(world).status is InvoiceStatus.PAID
    world.to(FAILED + timedelta(days=20))
    assert world.money_taken() == 4000


def test_case_90_a_hard_decline_is_not_retried_until_a_new_card(world):
    number = subscribed(world, STOLEN)
    world.to(FAILED + timedelta(days=5))
    assert len(world.attempts()) == 2
    assert second_invoice(world).next_attempt_at is None
    world.card("works")
    assert world.subscription(number).status is Status.ACTIVE
    assert world.attempts()[-1].occurred_at == FAILED + timedelta(days=5)


def test_case_90_without_a_new_card_it_ends_after_fourteen_days(world):
    number = subscribed(world, STOLEN)
    world.to(FAILED + timedelta(days=13, hours=23))
    assert world.subscription(number).status is Status.PAST_DUE
    world.to(FAILED + timedelta(days=14))
    assert world.subscription(number).status is Status.CANCELED
    assert len(world.attempts()) == 2


def test_a_hard_decline_in_the_middle_stops_the_tries(world):
    subscribed(world, DECLINED, STOLEN)
    world.to(FAILED + timedelta(days=10))
    assert len(world.attempts()) == 3
    assert second_invoice(world).next_attempt_at is None


def test_a_new_card_that_is_declined_softly_sets_the_tries_going_again(world):
    number = subscribed(world, STOLEN)
    world.to(FAILED + timedelta(days=4))
    world.card("declined")
    state = world.subscription(number)
    assert state.dunning.next_retry_at == FAILED + timedelta(days=5)
    assert second_invoice(world).next_attempt_at == FAILED + timedelta(days=5)
    world.to(FAILED + timedelta(days=14))
    assert world.subscription(number).status is Status.CANCELED


def test_case_91_a_card_updated_when_a_retry_is_due_charges_once(world):
    number = subscribed(world, DECLINED)
    world.to(FAILED + timedelta(hours=1))
    world.clock.at = FAILED + timedelta(days=1)
    world.do(RetryPayments(subscription_id=number), react=False)
    world.card("works")
    world.react()
    assert world.money_taken() == 4000
    assert world.subscription(number).status is Status.ACTIVE
    assert world.do(RetryPayments(subscription_id=number)) == []
    assert world.money_taken() == 4000


def test_case_91_the_other_way_round(world):
    number = subscribed(world, DECLINED)
    world.to(FAILED + timedelta(hours=1))
    world.clock.at = FAILED + timedelta(days=1)
    world.card("works")
    assert world.do(RetryPayments(subscription_id=number)) == []
    assert world.money_taken() == 4000


def test_a_card_that_came_while_the_old_one_was_being_refused_is_tried_at_once(world):
    number = subscribed(world, STOLEN)
    world.clock.at = FAILED
    due, command = min(world.timers(), key=lambda timer: timer[0])
    assert due == FAILED
    world.do(command, react=False)
    held, world.reactions = world.reactions, []
    world.card("works")
    world.reactions = held
    world.handled = len(world.store.log) - 2
    for recorded in world.store.log:
        if recorded.fact == world.attempts()[-1]:
            world.handled = recorded.position - 1
    world.react()
    assert world.subscription(number).status is Status.ACTIVE
    assert world.money_taken() == 4000


def test_case_94_canceling_voids_the_tries(world):
    number = subscribed(world, DECLINED)
    world.to(FAILED + timedelta(hours=1))
    wish = Cancellation(type=CancellationType.IMMEDIATE)
    world.do(CancelSubscription(subscription_id=number, wish=wish))
    assert world.timers() == []
    assert world.do(RetryPayments(subscription_id=number)) == []
    assert second_invoice(world).next_attempt_at is None
    assert second_invoice(world).is_open
    world.card("works")
    assert len(world.attempts()) == 2


def test_a_payment_that_comes_in_after_the_end_revives_nothing(world):
    number = subscribed(world, Unknown())
    world.to(FAILED)
    wish = Cancellation(type=CancellationType.IMMEDIATE)
    world.do(CancelSubscription(subscription_id=number, wish=wish))
    started = world.attempts()[-1]
    world.do(
        RecordPaymentSucceeded(
            invoice_id=started.invoice_id,
            attempt=started.attempt,
            payment_id="late",
            international=False,
            caused_at=started.occurred_at,
        )
    )
    assert world.invoice(started.invoice_id).status is InvoiceStatus.PAID
    assert world.subscription(number).status is Status.CANCELED


def test_other_methods_are_not_retried(world):
    world.provider.say("debit", PAYS, DECLINED)
    world.customer()
    world.card("debit", kind="sepa_debit")
    number = world.subscribe()
    world.to(FAILED)
    assert world.subscription(number).status is Status.CANCELED
    assert len(world.attempts()) == 2


def test_it_renews_while_past_due_and_each_try_collects_all_oldest_first():
    world = World(at(2025, 1, 1), settings={"dunning_schedule": (10, 40)})
    world.monthly("20.00")
    world.provider.say("card", PAYS, DECLINED, DECLINED, PAYS)
    world.customer(card="card")
    number = world.subscribe()
    world.to(at(2025, 3, 5))
    state = world.subscription(number)
    assert state.status is Status.PAST_DUE
    assert len(state.dunning.invoices) == 2
    assert len(world.attempts()) == 3
    world.to(at(2025, 2, 1) + timedelta(days=40))
    assert [a.invoice_id for a in world.attempts()[3:]] == list(state.dunning.invoices)
    assert world.subscription(number).status is Status.ACTIVE
    assert world.money_taken() == 6000


def test_the_last_try_that_is_paid_in_part_is_the_last():
    world = World(START, settings={"dunning_schedule": (8,)})
    world.plan("pro", price(row(charge("5.00", ChargePeriod.WEEKLY))))
    world.provider.say("card", PAYS, DECLINED, DECLINED, PAYS)
    world.customer(card="card")
    number = world.subscribe(period=ChargePeriod.WEEKLY)
    world.to(START + timedelta(days=15))
    assert [world.invoice(i.invoice_id).status for i in world.invoices()] == [
        InvoiceStatus.PAID,
        InvoiceStatus.PAYMENT_FAILED,
        InvoiceStatus.PAID,
    ]
    assert world.subscription(number).status is Status.CANCELED
    assert list(world.timers()) == []


def test_a_standstill_makes_up_for_missed_retries_with_one(world):
    number = subscribed(world, DECLINED)
    world.to(FAILED)
    world.clock.at = FAILED + timedelta(days=6)
    world.do(RetryPayments(subscription_id=number))
    assert len(world.attempts()) == 3
    assert world.subscription(number).dunning.next_retry_at == FAILED + timedelta(days=7)


def test_case_92_an_unknown_outcome_stays_pending_and_is_never_charged_again(world):
    number = subscribed(world, Unknown())
    world.to(FAILED)
    assert world.names()[-2:] == ["invoice.payment_pending", "transaction.pending"]
    assert world.subscription(number).status is Status.ACTIVE
    world.card("works")
    assert len(world.attempts()) == 2
    assert len(set(world.provider.calls)) == 2


def test_an_earlier_invoice_that_fails_later_joins_the_others(world):
    number = subscribed(world, Unknown(), DECLINED)
    world.to(at(2025, 2, 28, 12))
    state = world.subscription(number)
    assert state.status is Status.PAST_DUE
    late = world.attempts()[1]
    world.do(
        RecordPaymentFailed(
            invoice_id=late.invoice_id,
            attempt=late.attempt,
            kind="declined",
            code="card_declined",
            message="no",
            caused_at=late.occurred_at,
        )
    )
    assert len(world.facts(SubscriptionFellFurtherBehind)) == 1
    assert late.invoice_id in world.subscription(number).dunning.invoices


async def never(*_):
    return False


def hears(world, kind, *, knows=True):
    """The reaction to new methods is given the last fact of a kind, by a process that may be late.

    ``knows``: it looks whether it was tried before.
    """
    recorded = [each for each in world.store.log if isinstance(each.fact, kind)][-1]
    reactor = Reactor("collect_with_new_methods", world.bus, Tenants(world.tenant))
    if not knows:
        reactor.has_dispatched = never
    asyncio.run(CollectWithNewMethods(reactor).handle(recorded))
    world.react()


def unpaid():
    """A subscription whose first invoice is open; nothing was there to pay it."""
    world = World(at(2025, 1, 31))
    world.monthly("20.00")
    customer = world.customer()
    world.subscribe()
    return world, customer


def test_two_workers_that_both_think_a_card_is_untried_try_it_once():
    """One looks whether it was tried, the other tries it and it is declined, the one goes on."""
    world, customer = unpaid()
    world.provider.say("declined-too", DECLINED)
    first = world.card("declined")
    world.card("declined-too")
    world.do(ChangePaymentMethod(customer=customer, method_id=first, make_default=True, card={}))
    tried = world.attempts()
    assert len(tried) == 3
    hears(world, PaymentMethodMadeDefault, knows=False)
    assert world.attempts() == tried
    assert len(world.provider.calls) == 3


def test_a_declined_new_card_is_not_tried_again_because_the_fact_came_again():
    """A worker that was killed before it noted how far it had got is given the fact once more."""
    world, _ = unpaid()
    world.card("declined")
    tried = world.attempts()
    hears(world, PaymentMethodAdded)
    assert world.attempts() == tried
    assert len(world.provider.calls) == 1


def test_a_card_that_a_first_payment_tried_is_not_tried_again_because_the_reaction_is_late():
    """The card was added, a subscription bought and refused, and only then the fact is heard."""
    world = World(at(2025, 1, 31))
    world.monthly("20.00")
    world.customer(card="declined")
    world.subscribe()
    tried = world.attempts()
    hears(world, PaymentMethodAdded)
    assert world.attempts() == tried
    assert len(world.provider.calls) == 1
