"""An invoice as decisions see it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import assert_never, get_args
from uuid import UUID

from aggregates.invoice.events import (
    InvoiceBalanceApplied,
    InvoiceCreated,
    InvoiceCredited,
    InvoiceEvent,
    InvoicePaid,
    InvoicePaymentFailed,
    InvoicePaymentPending,
    InvoicePaymentStarted,
    InvoiceRetryScheduled,
    InvoiceWithdrawn,
    Status,
)
from kernel.fold import Fold


@dataclass(frozen=True, slots=True)
class Invoice:
    """``attempts`` were started; ``in_flight`` is the one whose outcome is not known yet.

    ``credited`` minor units of it became the customer's credit. ``tried`` are the payment methods
    of all attempts.
    """

    status: Status = Status.ABSENT
    created: InvoiceCreated | None = None
    attempts: int = 0
    in_flight: InvoicePaymentStarted | None = None
    is_pending: bool = False
    next_attempt_at: datetime | None = None
    is_withdrawn: bool = False
    credited: int = 0
    tried: frozenset[UUID] = frozenset()

    @property
    def is_open(self) -> bool:
        """Something is owed and may be paid."""
        return self.status in {Status.OPEN, Status.PAYMENT_FAILED} and not self.is_withdrawn


def evolve(state: Invoice, event: InvoiceEvent) -> Invoice:
    """Total and free of rules: what is recorded is true."""
    match event:
        case InvoiceCreated():
            return replace(state, status=event.status, created=event)
        case InvoicePaymentStarted():
            return replace(
                state,
                attempts=event.attempt,
                in_flight=event,
                is_pending=False,
                tried=state.tried | {event.method.id},
            )
        case InvoicePaymentPending():
            return replace(state, is_pending=True)
        case InvoicePaymentFailed():
            return replace(
                state,
                status=event.status,
                in_flight=None,
                is_pending=False,
                next_attempt_at=event.next_attempt_at,
            )
        case InvoiceRetryScheduled():
            return replace(state, next_attempt_at=event.next_attempt_at)
        case InvoicePaid():
            return replace(
                state, status=Status.PAID, in_flight=None, is_pending=False, next_attempt_at=None
            )
        case InvoiceBalanceApplied():
            created = state.created and replace(state.created, balance=event.balance)
            return replace(state, status=event.status, created=created)
        case InvoiceWithdrawn():
            return replace(state, status=Status.PAYMENT_FAILED, is_withdrawn=True)
        case InvoiceCredited(amount=amount):
            return replace(state, credited=state.credited + amount.units)
        case _:
            assert_never(event)


INVOICE = Fold("invoice", Invoice(), evolve, get_args(InvoiceEvent))
