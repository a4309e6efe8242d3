"""Facts about an order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from kernel.entitlement import Entitlement
from kernel.money import Money
from kernel.offer import LicenseTerms
from kernel.personal import Personal
from kernel.refund import RefundShares
from kernel.sale import MethodWords, Sale, Totals


class Status(StrEnum):
    """Whether a purchase came about, in the words of the wire (13)."""

    ABSENT = "ABSENT"
    PENDING = "PENDING"
    COMPLETE = "COMPLETE"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"
    PARTIAL_REFUND = "PARTIAL_REFUND"
    REFUNDED = "REFUNDED"


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderCreated:
    """Something was ordered; PENDING until paid, COMPLETE at once when nothing is due.

    ``invoice_id`` and ``invoice_number`` are None for a trial. ``entitlements`` is what was bought;
    ``license`` are the terms of the key that comes with it, None when none does. ``custom_fields``
    are the answers that the buyer gave at checkout.
    """

    order_id: UUID
    number: str
    status: Status
    sale: Sale
    totals: Totals
    invoice_id: UUID | None
    invoice_number: str | None
    is_trial: bool
    is_renewal: bool
    entitlements: tuple[Entitlement, ...] = ()
    license: LicenseTerms | None = None
    custom_fields: Personal[Mapping[str, Any] | None] = None
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderCompleted:
    """The order was paid; ``method`` paid it."""

    order_id: UUID
    method: MethodWords
    payment_id: str
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderPaymentFailed:
    """A payment of the order failed; it stays PENDING as long as its invoice can be paid."""

    order_id: UUID
    code: str
    message: str
    method: MethodWords | None
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderFailed:
    """The order will not come about."""

    order_id: UUID
    reason: str
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderRefundStarted:
    """Part of what was paid is on its way back: nobody else can refund that part meanwhile."""

    order_id: UUID
    refund_id: UUID
    shares: RefundShares
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderRefunded:
    """Money was given back: ``total`` so far, ``status`` REFUNDED when that is everything.

    ``revokes`` is the one-time sale (its subscription id) whose access ends with it, else None.
    """

    order_id: UUID
    refund_id: UUID
    amount: Money
    total: Money
    status: Status
    revokes: UUID | None
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderRefundFailed:
    """A refund came to nothing; its part can be refunded again."""

    order_id: UUID
    refund_id: UUID
    message: str
    occurred_at: datetime


OrderEvent = (
    OrderCreated
    | OrderCompleted
    | OrderPaymentFailed
    | OrderFailed
    | OrderRefundStarted
    | OrderRefunded
    | OrderRefundFailed
)
