"""Decisions about a transaction; how it ended is recorded once."""

from __future__ import annotations

from datetime import datetime, timedelta

from aggregates.transaction.events import (
    Payment,
    TransactionFailed,
    TransactionPending,
    TransactionRefunded,
    TransactionSucceeded,
)
from aggregates.transaction.fees import Charged, assess
from aggregates.transaction.state import Status, Transaction
from kernel.money import Money
from kernel.settings import FeeSchedule


AVAILABLE_AFTER = timedelta(days=7)
"""The merchant gets the money this long after the payment (wire 8)."""


def await_outcome(
    state: Transaction, payment: Payment, *, at: datetime
) -> list[TransactionPending]:
    """Nobody knows yet whether the money moved."""
    if state.status is not Status.ABSENT:
        return []
    return [TransactionPending(payment=payment, occurred_at=at)]


def fail(
    state: Transaction, payment: Payment, *, code: str, message: str, at: datetime
) -> list[TransactionFailed]:
    """No money moved, no fee is taken."""
    if state.status not in {Status.ABSENT, Status.PENDING}:
        return []
    return [TransactionFailed(payment=payment, code=code, message=message, occurred_at=at)]


def succeed(
    state: Transaction,
    payment: Payment,
    *,
    payment_id: str,
    charged: Charged,
    schedule: FeeSchedule | None,
    at: datetime,
) -> list[TransactionSucceeded]:
    """The money moved: take the fee; ``schedule`` None (no Merchant of Record) takes none."""
    if state.status not in {Status.ABSENT, Status.PENDING}:
        return []
    components = () if schedule is None else assess(schedule, charged)
    fee = Money(sum(part.amount.units for part in components), payment.amount.currency)
    return [
        TransactionSucceeded(
            payment=payment,
            payment_id=payment_id,
            fee=fee,
            components=components,
            net=payment.amount - fee - payment.tax,
            volume=charged.volume + payment.amount,
            available_on=(at + AVAILABLE_AFTER).date(),
            occurred_at=at,
        )
    ]


def refund(
    state: Transaction, payment: Payment, *, payment_id: str, at: datetime
) -> list[TransactionRefunded]:
    """The money went back: it leaves the merchant's account at once, the fee stays taken."""
    if state.status not in {Status.ABSENT, Status.PENDING}:
        return []
    return [
        TransactionRefunded(
            payment=payment,
            payment_id=payment_id,
            net=payment.amount - payment.tax,
            available_on=at.date(),
            occurred_at=at,
        )
    ]
