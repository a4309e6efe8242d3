"""The checkout events view: what happened to each session (wire 16.2).

An entry's id is the position of its fact x 8, so that ids follow the log and never repeat.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from aggregates.checkout.events import (
    CheckoutAbandoned,
    CheckoutAuthenticationPassed,
    CheckoutAuthenticationRequired,
    CheckoutCompleted,
    CheckoutDetailsChanged,
    CheckoutExpired,
    CheckoutPaymentFailed,
    CheckoutPaymentPending,
    CheckoutPaymentStarted,
    CheckoutSelectionChanged,
    CheckoutSessionCreated,
)
from kernel.ports.event_store import Recorded
from kernel.sale import MethodWords
from projections.documents import Documents
from projections.order_events import DOTS, PLACES, Entry, Outcome
from projections.reader import Condition
from projections.table import Column, Table
from projections.view import View
from wire.checkout_session import event_out
from wire.ids import id_text
from wire.times import instant


CHECKOUT_EVENTS = Table(
    name="checkout_events",
    key="bigint",
    columns=(Column("session", "uuid"),),
    indexes=("(session, created DESC)",),
    render=event_out,
)

view = View("checkout_events", CHECKOUT_EVENTS)


def _nothing(recorded: Recorded, fact: Any) -> Iterable[tuple[Table, Any]]:
    del recorded, fact
    return ()


def entry_of(fact: Any) -> Entry:
    """What a fact says in a timeline."""
    match fact:
        case CheckoutSessionCreated():
            return _entry("created", "Checkout session created", secondary=fact.selection.plan)
        case CheckoutDetailsChanged():
            return _entry("customer_details_updated", "Customer details updated")
        case CheckoutSelectionChanged():
            chosen = f"{fact.selection.plan}, {fact.selection.period}"
            return _entry("selection_changed", "Selection changed", secondary=chosen)
        case CheckoutCompleted():
            total, card = fact.totals.total.decimal(), _card(fact.method)
            title = "Payment completed" if fact.method else "Completed without a payment"
            return _entry("payment_completed", title, primary=total, secondary=card)
        case CheckoutExpired() | CheckoutAbandoned():
            return _of_time(fact)
        case _:
            return _of_payment(fact)


def _of_time(fact: CheckoutExpired | CheckoutAbandoned) -> Entry:
    if isinstance(fact, CheckoutExpired):
        return _entry("expired", "Checkout session expired", Outcome.FAILED)
    return _entry("abandoned", "Abandoned by the buyer", Outcome.PENDING)


def _of_payment(fact: Any) -> Entry:
    match fact:
        case CheckoutPaymentStarted():
            title = "Payment attempted" if fact.invoice_id else "Card authorization attempted"
            card = _card(fact.method)
            return _entry("payment_attempted", title, Outcome.PENDING, secondary=card)
        case CheckoutAuthenticationRequired(message=message):
            title = "Authentication required"
            return _entry("authentication_required", title, Outcome.PENDING, secondary=message)
        case CheckoutAuthenticationPassed():
            return _entry("authentication_passed", "Authentication passed")
        case CheckoutPaymentPending():
            return _entry("payment_pending", "Payment outcome unknown", Outcome.PENDING)
        case CheckoutPaymentFailed(message=message):
            return _entry("payment_failed", "Payment failed", Outcome.FAILED, secondary=message)
        case _:
            raise LookupError(f"{type(fact).__name__} has no entry")


@view.on(
    CheckoutSessionCreated,
    CheckoutDetailsChanged,
    CheckoutSelectionChanged,
    CheckoutPaymentStarted,
    CheckoutAuthenticationRequired,
    CheckoutAuthenticationPassed,
    CheckoutPaymentPending,
    CheckoutPaymentFailed,
    CheckoutCompleted,
    CheckoutExpired,
    CheckoutAbandoned,
    loads=_nothing,
)
def happened(docs: Documents, recorded: Recorded, fact: Any) -> None:
    """One more entry."""
    key, entry = recorded.position * PLACES, entry_of(fact)
    doc = {
        "id": key,
        "organization": id_text(recorded.organization),
        "created": key,
        "session": id_text(recorded.stream),
        "title": entry.title,
        "code": entry.code,
        "status": entry.status.value,
        "at": instant(fact.occurred_at),
        "metadata": {"primary": entry.primary, "secondary": entry.secondary},
    }
    docs.put(CHECKOUT_EVENTS, key, doc)


def of_session(session: UUID) -> Condition:
    """What happened to one session."""
    return Condition("t.session = %s", (session,))


def _entry(
    code: str,
    title: str,
    status: Outcome = Outcome.SUCCESS,
    *,
    primary: str | None = None,
    secondary: str | None = None,
) -> Entry:
    return Entry(f"checkout_session.{code}", title, status, primary, secondary)


def _card(method: MethodWords | None) -> str | None:
    if method is None:
        return None
    words = (method.name or method.type, method.last4 and f"{DOTS} {method.last4}")
    return " ".join(word for word in words if word)
