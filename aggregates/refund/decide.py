"""Decisions about a refund; how it ended is recorded once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from aggregates.refund.events import (
    RefundCreated,
    RefundFailed,
    RefundPending,
    RefundSucceeded,
    Status,
)
from aggregates.refund.state import Refund
from kernel.ids import derived_id
from kernel.refund import RefundReason, RefundShares
from kernel.sale import MethodWords, Sale


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """The order that money is given back of, with what had paid it."""

    id: UUID
    number: str
    invoice_id: UUID
    invoice_number: str
    sale: Sale
    method: MethodWords | None
    payment_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """Why; the note is for the merchant alone."""

    reason: RefundReason = RefundReason.REQUESTED_BY_CUSTOMER
    internal_note: str | None = None


def create(
    state: Refund, refund_id: UUID, order: Order, shares: RefundShares, wish: Wish, *, at: datetime
) -> list[RefundCreated]:
    """Begin to give back what the order allows; the provider's key follows from the refund."""
    if state.status is not Status.ABSENT:
        return []
    return [
        RefundCreated(
            refund_id=refund_id,
            order_id=order.id,
            order_number=order.number,
            invoice_id=order.invoice_id,
            invoice_number=order.invoice_number,
            sale=order.sale,
            shares=shares,
            reason=wish.reason,
            method=order.method,
            payment_id=order.payment_id,
            provider_key=str(derived_id(refund_id, "refund")),
            internal_note=wish.internal_note,
            occurred_at=at,
        )
    ]


def await_outcome(state: Refund, *, at: datetime) -> list[RefundPending]:
    """The provider is silent: the money may be back already."""
    if state.created is None or state.status is not Status.PROCESSING or state.is_pending:
        return []
    return [RefundPending(refund_id=state.created.refund_id, occurred_at=at)]


def succeed(state: Refund, *, reference: str | None, at: datetime) -> list[RefundSucceeded]:
    """The money is back."""
    if state.created is None or state.status is not Status.PROCESSING:
        return []
    refund_id = state.created.refund_id
    return [RefundSucceeded(refund_id=refund_id, reference=reference, occurred_at=at)]


def fail(state: Refund, *, code: str, message: str, at: datetime) -> list[RefundFailed]:
    """The provider refused to give it back."""
    if state.created is None or state.status is not Status.PROCESSING:
        return []
    refund_id = state.created.refund_id
    return [RefundFailed(refund_id=refund_id, code=code, message=message, occurred_at=at)]
