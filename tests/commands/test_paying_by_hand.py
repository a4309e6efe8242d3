"""Somebody pays an invoice on its page: automatic collection neither notices nor stops."""

from datetime import timedelta
from uuid import UUID

import pytest

from aggregates.invoice.events import FailureKind, InvoicePaymentStarted
from aggregates.invoice.events import Status as InvoiceStatus
from aggregates.subscription.events import Status
from commands.invoices.pay_invoice import (
    MOST_ATTEMPTS,
    EnteredCard,
    InvoiceNotFound,
    InvoiceNotPayable,
    NoSavedMethod,
    PayInvoice,
    TriedTooOften,
)
from commands.invoices.record_payment_failed import RecordPaymentFailed
from commands.invoices.record_payment_succeeded import RecordPaymentSucceeded
from kernel.ports.payments import Succeeded, Unknown
from kernel.sale import MethodWords
from tests.billing_world import DECLINED, World, at


START = at(2024, 12, 31, 12)
FAILED = at(2025, 1, 31, 12)
DAY = timedelta(days=1)


@pytest.fixture
def world():
    world = World(START)
    world.monthly("20.00")
    return world


def card(reference="works"):
    words = MethodWords(id=UUID(int=9), type="card", name="visa", last4="1111", country="US")
    return EnteredCard(reference, words)


def behind(world):
    """A subscription whose second month was declined; its id and that invoice."""
    world.provider.say("first", Succeeded(reference="pay-1"), DECLINED)
    world.customer(card="first")
    number = world.subscribe()
    world.to(FAILED)
    assert world.subscription(number).status is Status.PAST_DUE
    return number, world.invoices()[1].invoice_id


def pays(world, invoice_id, *, attempt=None, by=None, **options):
    following = world.invoice(invoice_id).attempts + 1
    command = PayInvoice(invoice_id=invoice_id, attempt=attempt or following, card=by)
    return world.do(command, **options)


def test_a_payment_recovers_the_subscription_and_keeps_automatic_collection(world):
    number, invoice_id = behind(world)
    pays(world, invoice_id, by=card())
    assert world.invoice(invoice_id).status is InvoiceStatus.PAID
    assert world.subscription(number).status is Status.ACTIVE
    world.provider.say("first", Succeeded(reference="pay-2"))
    world.to(at(2025, 2, 28, 12))
    assert world.attempts()[-1].reference == "first"
    assert world.subscription(number).status is Status.ACTIVE


def test_a_failure_leaves_the_schedule_alone(world):
    number, invoice_id = behind(world)
    before = world.subscription(number)
    pays(world, invoice_id, by=card("declined"))
    after = world.subscription(number)
    assert after.dunning == before.dunning
    assert after.status is Status.PAST_DUE
    assert world.invoice(invoice_id).next_attempt_at == FAILED + DAY
    assert world.invoice(invoice_id).attempts == 2


def test_a_hard_decline_by_hand_does_not_stop_the_retries(world):
    number, invoice_id = behind(world)
    pays(world, invoice_id, by=card("stolen"))
    assert world.subscription(number).dunning.next_retry_at == FAILED + DAY
    world.to(FAILED + DAY)
    assert world.attempts()[-1].reference == "first"


def test_a_failure_does_not_set_the_saved_card_going(world):
    _, invoice_id = behind(world)
    pays(world, invoice_id, by=card("declined"))
    assert [attempt.reference for attempt in world.attempts()] == ["first", "first", "declined"]


def test_a_card_saved_meanwhile_is_tried_when_the_other_fails(world):
    number, invoice_id = behind(world)
    world.provider.say("slow", Unknown())
    pays(world, invoice_id, by=card("slow"))
    world.card("works")
    assert world.invoice(invoice_id).in_flight.reference == "slow"
    world.do(
        RecordPaymentFailed(
            invoice_id=invoice_id,
            attempt=2,
            kind=FailureKind.DECLINED,
            code="x",
            message="x",
            caused_at=FAILED,
        )
    )
    assert world.attempts()[-1].reference == "works"
    assert world.subscription(number).status is Status.ACTIVE


def test_a_form_stands_for_one_attempt(world):
    _, invoice_id = behind(world)
    pays(world, invoice_id, attempt=2, by=card(), react=False)
    assert pays(world, invoice_id, attempt=2, by=card()) == []
    assert pays(world, invoice_id, attempt=2, by=card()) == []
    assert world.money_taken() == 4000


def test_nobody_pays_while_an_outcome_is_unknown(world):
    _, invoice_id = behind(world)
    world.provider.say("slow", Unknown())
    pays(world, invoice_id, by=card("slow"))
    assert pays(world, invoice_id, by=card()) == []
    assert len(world.attempts()) == 3


def test_the_saved_method_can_be_used(world):
    _, invoice_id = behind(world)
    world.provider.say("first", Succeeded(reference="pay-2"))
    [begun] = pays(world, invoice_id)
    assert isinstance(begun, InvoicePaymentStarted)
    assert (begun.by_hand, begun.off_session, begun.reference) == (True, False, "first")
    assert world.invoice(invoice_id).status is InvoiceStatus.PAID


def test_a_canceled_subscription_is_paid_and_not_revived(world):
    number, invoice_id = behind(world)
    world.to(FAILED + 14 * DAY)
    assert world.subscription(number).status is Status.CANCELED
    pays(world, invoice_id, by=card())
    assert world.invoice(invoice_id).status is InvoiceStatus.PAID
    assert world.subscription(number).status is Status.CANCELED


def test_the_end_that_the_last_retry_would_have_brought_comes_after_the_attempt(world):
    number, invoice_id = behind(world)
    world.to(FAILED + 13 * DAY)
    world.provider.say("slow", Unknown())
    pays(world, invoice_id, by=card("slow"))
    attempt = world.invoice(invoice_id).attempts
    world.to(FAILED + 14 * DAY)
    assert world.subscription(number).status is Status.PAST_DUE
    world.do(
        RecordPaymentFailed(
            invoice_id=invoice_id,
            attempt=attempt,
            kind=FailureKind.DECLINED,
            code="x",
            message="x",
            caused_at=world.clock.at,
        )
    )
    assert world.subscription(number).status is Status.CANCELED


def test_the_first_invoice_activates(world):
    world.customer()
    number = world.subscribe()
    assert world.subscription(number).status is Status.INCOMPLETE
    [invoice] = world.invoices()
    pays(world, invoice.invoice_id, by=card("declined"))
    assert world.subscription(number).status is Status.INCOMPLETE
    pays(world, invoice.invoice_id, by=card())
    assert world.subscription(number).status is Status.ACTIVE


def test_what_never_came_about_cannot_be_paid(world):
    world.customer()
    number = world.subscribe()
    [invoice] = world.invoices()
    world.to(START + 2 * DAY)
    assert world.subscription(number).status is Status.INCOMPLETE_EXPIRED
    with pytest.raises(InvoiceNotPayable):
        pays(world, invoice.invoice_id, by=card())
    assert world.attempts() == []


def test_an_outcome_that_is_told_twice_counts_once(world):
    _, invoice_id = behind(world)
    world.deliver_twice = True
    pays(world, invoice_id, by=card())
    world.do(
        RecordPaymentSucceeded(
            invoice_id=invoice_id,
            attempt=2,
            payment_id="again",
            international=False,
            caused_at=FAILED,
        )
    )
    assert len(world.paid()) == 2
    assert world.money_taken() == 4000


def test_what_cannot_be_charged_is_refused(world):
    with pytest.raises(InvoiceNotFound):
        world.do(PayInvoice(invoice_id=UUID(int=5), attempt=1))
    world.customer()
    world.subscribe()
    [invoice] = world.invoices()
    with pytest.raises(NoSavedMethod):
        pays(world, invoice.invoice_id)


def test_a_link_is_no_place_to_test_cards(world):
    _, invoice_id = behind(world)
    while world.invoice(invoice_id).attempts < MOST_ATTEMPTS:
        pays(world, invoice_id, by=card("declined"))
    with pytest.raises(TriedTooOften):
        pays(world, invoice_id, by=card())
    world.provider.say("first", Succeeded(reference="pay-2"))
    world.to(FAILED + DAY)
    assert world.invoice(invoice_id).status is InvoiceStatus.PAID
