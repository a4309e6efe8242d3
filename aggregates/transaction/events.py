"""Facts about a transaction: each carries all that is known, so that the newest one tells all."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from uuid import UUID

from kernel.money import Money
from kernel.sale import MethodWords, Sale


class TransactionType(StrEnum):
    """Which way the money went and why (wire 8)."""

    CHARGE = "CHARGE"
    REFUND = "REFUND"
    CHARGEBACK = "CHARGEBACK"
    CHARGEBACK_REVERSAL = "CHARGEBACK_REVERSAL"
    CREDIT = "CREDIT"
    PAYOUT = "PAYOUT"
    ADJUSTMENT = "ADJUSTMENT"


class FeeName(StrEnum):
    """A component of the Merchant of Record fee (spec: Transaction fee breakdown)."""

    FIXED = "fixed_fee"
    BASE = "base_fee"
    SUBSCRIPTION = "subscription_fee"
    INTERNATIONAL = "international_fee"
    CONVERSION = "conversion_fee"
    ADJUSTMENT = "fee_adjustment"


@dataclass(frozen=True, slots=True, kw_only=True)
class FeeComponent:
    """A part of the fee: ``percentage`` as text (``"2.9"``), None for fixed ones."""

    name: FeeName
    percentage: str | None
    amount: Money


@dataclass(frozen=True, slots=True, kw_only=True)
class Payment:
    """The payment a transaction is about; the ids are uuids, the numbers what people read."""

    transaction_id: UUID
    type: TransactionType
    sale: Sale
    order_id: UUID
    order_number: str
    invoice_id: UUID
    invoice_number: str
    attempt: int
    method: MethodWords
    provider_key: str
    amount: Money
    tax: Money


@dataclass(frozen=True, slots=True, kw_only=True)
class TransactionPending:
    """The provider has not said how the payment ended."""

    payment: Payment
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class TransactionSucceeded:
    """The money moved: ``net = amount - fee - tax`` goes to the merchant on ``available_on``.

    ``fee`` is the sum of ``components``, which are empty without a Merchant of Record.
    ``volume`` is what the organization had processed in this currency, this payment included.
    """

    payment: Payment
    payment_id: str
    fee: Money
    components: tuple[FeeComponent, ...]
    net: Money
    volume: Money
    available_on: date
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class TransactionFailed:
    """No money moved; no fee was taken."""

    payment: Payment
    code: str
    message: str
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class TransactionRefunded:
    """Money went back to the customer: amount, tax and ``net`` are negative.

    The fee of the payment is kept (wire 14). ``payment_id`` is the provider's name of the refund.
    """

    payment: Payment
    payment_id: str
    net: Money
    available_on: date
    occurred_at: datetime


TransactionEvent = (
    TransactionPending | TransactionSucceeded | TransactionFailed | TransactionRefunded
)
