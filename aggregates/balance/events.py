"""Facts about the balance of one customer in one currency."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from kernel.money import Money
from kernel.personal import Personal


class BalanceReason(StrEnum):
    """Why a balance changed."""

    APPLIED_TO_INVOICE = "applied_to_invoice"
    BELOW_MINIMUM_CHARGE = "below_minimum_charge"
    CREDIT_NOTE = "credit_note"
    UNUSED_TIME = "unused_time"
    ADJUSTMENT = "adjustment"
    REFUND = "refund"
    INVOICE_WITHDRAWN = "invoice_withdrawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class BalanceChanged:
    """The balance moved by ``amount`` to ``balance``; negative is the customer's credit."""

    customer: UUID
    amount: Money
    balance: Money
    reason: BalanceReason
    invoice_id: UUID | None
    note: Personal[str | None] = None
    occurred_at: datetime


BalanceEvent = BalanceChanged
