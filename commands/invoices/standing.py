"""How an invoice stands at this moment, straight from the log, for who is about to pay it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

from aggregates.invoice.events import (
    Failure,
    FailureKind,
    InvoiceCreated,
    InvoicePaid,
    InvoicePaymentFailed,
    InvoicePaymentStarted,
    Status,
)
from aggregates.invoice.state import INVOICE, Invoice
from aggregates.order.events import Status as OrderStatus
from aggregates.order.state import ORDER
from aggregates.payment_method.state import FOLD as PAYMENT_METHODS
from aggregates.payment_method.state import payment_methods_of
from aggregates.subscription.state import SUBSCRIPTION
from kernel.money import Money
from kernel.ports.event_store import EventStore


class Stand(StrEnum):
    """What a payer can do about an invoice."""

    PAYABLE = "payable"
    CHECKING = "checking"
    PAID = "paid"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """``attempt`` is the next one, or the one under way; ``failure`` is why the newest failed.

    ``asked`` is the newest attempt if the bank wanted the payer to confirm it.
    """

    stand: Stand
    due: Money
    attempt: int
    failure: Failure | None
    has_saved_method: bool
    asked: InvoicePaymentStarted | None


async def standing(store: EventStore, invoice_id: UUID) -> Standing | None:
    """None when there is no such invoice."""
    facts = (await store.load(invoice_id)).facts
    invoice = INVOICE.of(facts)
    created = invoice.created
    if created is None:
        return None
    stand = await _stand(store, invoice, created)
    failure = _failure(facts)
    is_asked = failure is not None and failure.kind is FailureKind.AUTHENTICATION
    return Standing(
        stand=stand,
        due=created.balance.due,
        attempt=invoice.attempts + (invoice.in_flight is None),
        failure=failure,
        has_saved_method=stand is Stand.PAYABLE and await _has_saved_method(store, created),
        asked=_started(facts) if is_asked and stand is Stand.PAYABLE else None,
    )


async def _stand(store: EventStore, invoice: Invoice, created: InvoiceCreated) -> Stand:
    if invoice.status is Status.PAID:
        return Stand.PAID
    if invoice.in_flight is not None:
        return Stand.CHECKING
    if created.order_id is None:
        return Stand.CLOSED
    order = ORDER.of((await store.load(created.order_id)).facts)
    return Stand.CLOSED if order.status is OrderStatus.FAILED else Stand.PAYABLE


async def _has_saved_method(store: EventStore, created: InvoiceCreated) -> bool:
    sale = created.sale
    state = SUBSCRIPTION.of((await store.load(sale.subscription.id)).facts)
    saved = PAYMENT_METHODS.of((await store.load(payment_methods_of(sale.customer))).facts)
    return saved.to_charge(state.payment_method) is not None


def _failure(facts: tuple[Any, ...]) -> Failure | None:
    for fact in reversed(facts):
        match fact:
            case InvoicePaymentFailed():
                return fact.failure
            case InvoicePaymentStarted() | InvoicePaid():
                return None
    return None


def _started(facts: tuple[Any, ...]) -> InvoicePaymentStarted | None:
    begun = (fact for fact in reversed(facts) if isinstance(fact, InvoicePaymentStarted))
    return next(begun, None)
