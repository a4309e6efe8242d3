"""What the provider said about a refund; each is recorded once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from aggregates.order import refunding
from aggregates.order.state import ORDER
from aggregates.refund import decide
from aggregates.transaction import decide as transactions
from aggregates.transaction.state import TRANSACTION
from commands.bus import handles
from commands.refunds.settling import (
    give_back,
    load_refund,
    outcome_instant,
    refund_payment,
)
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordRefundSucceeded:
    """``reference`` is the provider's name; ``caused_at`` when the refund was created."""

    refund_id: UUID
    reference: str
    caused_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordRefundFailed:
    """``code`` and ``message`` are the provider's."""

    refund_id: UUID
    code: str
    message: str
    caused_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordRefundPending:
    """Nobody knows yet."""

    refund_id: UUID
    caused_at: datetime


@handles(RecordRefundSucceeded)
async def record_refund_succeeded(work: UnitOfWork, command: RecordRefundSucceeded) -> None:
    """Order, balance and transaction move with it."""
    refund = await load_refund(work, command.refund_id)
    if refund is None or refund.created is None:
        return
    at = await outcome_instant(work, refund.created, command.caused_at)
    await give_back(work, command.refund_id, reference=command.reference, at=at)


@handles(RecordRefundFailed)
async def record_refund_failed(work: UnitOfWork, command: RecordRefundFailed) -> None:
    """The order's amount is free again; the balance was not touched."""
    refund = await load_refund(work, command.refund_id)
    if refund is None or refund.created is None:
        return
    created = refund.created
    at = await outcome_instant(work, created, command.caused_at)
    why = {"code": command.code, "message": command.message}
    work.record(command.refund_id, decide.fail(refund, **why, at=at))
    order = await work.load(ORDER, created.order_id)
    released = refunding.release(order, command.refund_id, message=command.message, at=at)
    work.record(created.order_id, released)
    payment = refund_payment(created)
    if payment is not None:
        known = await work.load(TRANSACTION, payment.transaction_id)
        facts = transactions.fail(known, payment, **why, at=at)
        work.record(payment.transaction_id, facts, owner=created.sale.customer)


@handles(RecordRefundPending)
async def record_refund_pending(work: UnitOfWork, command: RecordRefundPending) -> None:
    """Show it as pending, once; what was set aside stays so."""
    refund = await load_refund(work, command.refund_id)
    if refund is None or refund.created is None:
        return
    created = refund.created
    at = await outcome_instant(work, created, command.caused_at)
    work.record(command.refund_id, decide.await_outcome(refund, at=at))
    payment = refund_payment(created)
    if payment is not None:
        known = await work.load(TRANSACTION, payment.transaction_id)
        facts = transactions.await_outcome(known, payment, at=at)
        work.record(payment.transaction_id, facts, owner=created.sale.customer)
