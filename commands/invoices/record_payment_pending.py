"""The provider is silent: nobody knows yet whether the money moved."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from aggregates.invoice import decide as invoices
from aggregates.invoice.state import INVOICE
from aggregates.transaction import decide as transactions
from aggregates.transaction.state import TRANSACTION
from commands.bus import handles
from commands.checkout import outcomes
from commands.invoices.outcome import load_attempt
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordPaymentPending:
    """``caused_at`` is when the attempt began."""

    invoice_id: UUID
    attempt: int
    caused_at: datetime


@handles(RecordPaymentPending)
async def record_payment_pending(work: UnitOfWork, command: RecordPaymentPending) -> None:
    """Show it as pending, once."""
    attempt = await load_attempt(work, command.invoice_id, command.attempt)
    if attempt is None:
        return
    at = attempt.instant(work, command.caused_at)
    invoice = await work.load(INVOICE, command.invoice_id)
    work.record(command.invoice_id, invoices.await_outcome(invoice, command.attempt, at=at))
    if attempt.subscription.checkout is not None:
        await outcomes.unknown(work, attempt.subscription.checkout, at=at)
    payment = attempt.payment
    known = await work.load(TRANSACTION, payment.transaction_id)
    facts = transactions.await_outcome(known, payment, at=at)
    work.record(payment.transaction_id, facts, owner=attempt.account.id)
