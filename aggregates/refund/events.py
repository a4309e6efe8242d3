"""Facts about a refund."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from kernel.personal import Personal
from kernel.refund import RefundReason, RefundShares
from kernel.sale import MethodWords, Sale


class Status(StrEnum):
    """How far a refund has come, in the words of the wire (14)."""

    ABSENT = "ABSENT"
    PENDING = "PENDING"
    PROCESSING = "PROCESSING"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"
    CANCELED = "CANCELED"


@dataclass(frozen=True, slots=True, kw_only=True)
class RefundCreated:
    """Money is on its way back; the provider knows it by ``provider_key``.

    ``payment_id`` is the provider's name of the payment, ``method`` what had paid; both are None
    when the customer's balance had paid everything.
    """

    refund_id: UUID
    order_id: UUID
    order_number: str
    invoice_id: UUID
    invoice_number: str
    sale: Sale
    shares: RefundShares
    reason: RefundReason
    method: MethodWords | None
    payment_id: str | None
    provider_key: str
    internal_note: Personal[str | None] = None
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RefundPending:
    """The provider did not tell how the refund ended; it is asked again with the same key."""

    refund_id: UUID
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RefundSucceeded:
    """The money is with the customer; ``reference`` is the provider's name, None for balances."""

    refund_id: UUID
    reference: str | None
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RefundFailed:
    """No money was given back; the amount can be refunded again."""

    refund_id: UUID
    code: str
    message: str
    occurred_at: datetime


RefundEvent = RefundCreated | RefundPending | RefundSucceeded | RefundFailed
