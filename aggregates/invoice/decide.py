"""Decisions about an invoice; each changes nothing when asked twice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from aggregates.invoice.events import (
    BalanceUse,
    Failure,
    FailureKind,
    InvoiceCreated,
    InvoicePaid,
    InvoicePaymentFailed,
    InvoicePaymentPending,
    InvoicePaymentStarted,
    InvoiceRetryScheduled,
    InvoiceWithdrawn,
    Status,
)
from aggregates.invoice.state import Invoice
from kernel.discount import AppliedDiscount
from kernel.ids import derived_id
from kernel.interval import Period
from kernel.lines import InvoiceLine
from kernel.sale import MethodWords, Sale, Totals
from kernel.tax import AppliedTax


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An invoice that is worked out but not issued."""

    invoice_id: UUID
    order_id: UUID | None
    sale: Sale
    lines: tuple[InvoiceLine, ...]
    totals: Totals
    balance: BalanceUse
    period: Period | None
    discounts: tuple[AppliedDiscount, ...] = ()
    taxes: tuple[AppliedTax, ...] = ()
    custom_fields: Mapping[str, Any] | None = None

    @property
    def is_paid(self) -> bool:
        """Nothing is due."""
        return self.balance.due.units == 0


def create(
    state: Invoice, draft: Draft, *, number: str, order_number: str | None, at: datetime
) -> list[InvoiceCreated]:
    """Issue it, due at once; PAID when nothing is due. The same invoice is issued once."""
    if state.status is not Status.ABSENT:
        return []
    return [
        InvoiceCreated(
            invoice_id=draft.invoice_id,
            number=number,
            status=Status.PAID if draft.is_paid else Status.OPEN,
            sale=draft.sale,
            order_id=draft.order_id,
            order_number=order_number,
            lines=draft.lines,
            totals=draft.totals,
            balance=draft.balance,
            period=draft.period,
            due_at=None if draft.is_paid else at,
            discounts=draft.discounts,
            taxes=draft.taxes,
            custom_fields=draft.custom_fields,
            occurred_at=at,
        )
    ]


def start_payment(
    state: Invoice,
    method: MethodWords,
    *,
    reference: str,
    off_session: bool,
    continues: str = "",
    at: datetime,
) -> list[InvoicePaymentStarted]:
    """Begin an attempt, unless nothing is owed or the outcome of another one is not known.

    The provider's key names the attempt, so that the same attempt never charges twice.
    ``continues`` is that of the one that the payer authenticated.
    """
    created = state.created
    if created is None or not state.is_open or state.in_flight is not None:
        return []
    attempt = state.attempts + 1
    return [
        InvoicePaymentStarted(
            invoice_id=created.invoice_id,
            invoice_number=created.number,
            attempt=attempt,
            customer=created.sale.customer,
            method=method,
            reference=reference,
            amount=created.balance.due,
            provider_key=attempt_key(created.invoice_id, attempt),
            off_session=off_session,
            continues=continues,
            occurred_at=at,
        )
    ]


def pay_by_hand(
    state: Invoice,
    method: MethodWords,
    *,
    reference: str,
    newest: UUID | None,
    continues: str = "",
    at: datetime,
) -> list[InvoicePaymentStarted]:
    """As ``start_payment``, by somebody at the invoice's page; ``newest`` is the newest method."""
    begun = start_payment(
        state, method, reference=reference, off_session=False, continues=continues, at=at
    )
    return [replace(fact, by_hand=True, newest_method=newest) for fact in begun]


def attempt_key(invoice_id: UUID, attempt: int) -> str:
    """What the provider knows an attempt by, for ever."""
    return str(derived_id(invoice_id, "attempt", attempt))


def await_outcome(state: Invoice, attempt: int, *, at: datetime) -> list[InvoicePaymentPending]:
    """The provider is silent: the attempt may have succeeded, nothing else is tried meanwhile."""
    started = state.in_flight
    if started is None or started.attempt != attempt or state.is_pending:
        return []
    return [InvoicePaymentPending(invoice_id=started.invoice_id, attempt=attempt, occurred_at=at)]


def record_paid(
    state: Invoice, attempt: int, *, payment_id: str, international: bool, at: datetime
) -> list[InvoicePaid]:
    """The attempt in flight succeeded."""
    started = state.in_flight
    if started is None or started.attempt != attempt:
        return []
    return [
        InvoicePaid(
            invoice_id=started.invoice_id,
            attempt=attempt,
            payment_id=payment_id,
            method=started.method,
            amount=started.amount,
            international=international,
            occurred_at=at,
        )
    ]


def record_failure(
    state: Invoice,
    attempt: int,
    failure: Failure,
    *,
    next_attempt_at: datetime | None,
    at: datetime,
) -> list[InvoicePaymentFailed]:
    """The attempt in flight failed; what the customer can still confirm stays OPEN (wire 4)."""
    started = state.in_flight
    if started is None or started.attempt != attempt:
        return []
    return [_failed(started.invoice_id, attempt, failure, next_attempt_at, at)]


def record_no_method(state: Invoice, *, at: datetime) -> list[InvoicePaymentFailed]:
    """There is nothing to charge: no attempt was made, none will be by itself."""
    if state.created is None or not state.is_open or state.in_flight is not None:
        return []
    failure = Failure(
        kind=FailureKind.NO_METHOD,
        code="no_payment_method",
        message="There is no payment method that can be charged.",
        method_type=None,
    )
    return [_failed(state.created.invoice_id, state.attempts, failure, None, at)]


def schedule_retry(
    state: Invoice, next_attempt_at: datetime | None, *, at: datetime
) -> list[InvoiceRetryScheduled]:
    """Say when collection is tried next; None: not by itself any more."""
    if state.created is None or not state.is_open or state.next_attempt_at == next_attempt_at:
        return []
    return [
        InvoiceRetryScheduled(
            invoice_id=state.created.invoice_id, next_attempt_at=next_attempt_at, occurred_at=at
        )
    ]


def withdraw(state: Invoice, *, at: datetime) -> list[InvoiceWithdrawn]:
    """Nobody shall pay it any more; while an attempt is in flight, its outcome comes first."""
    if state.created is None or not state.is_open or state.in_flight is not None:
        return []
    return [InvoiceWithdrawn(invoice_id=state.created.invoice_id, occurred_at=at)]


def _failed(
    invoice_id: UUID, attempt: int, failure: Failure, next_at: datetime | None, at: datetime
) -> InvoicePaymentFailed:
    confirmable = failure.kind is FailureKind.AUTHENTICATION
    return InvoicePaymentFailed(
        invoice_id=invoice_id,
        attempt=attempt,
        failure=failure,
        status=Status.OPEN if confirmable else Status.PAYMENT_FAILED,
        next_attempt_at=next_at,
        occurred_at=at,
    )
