"""Decisions about an order; each changes nothing when asked twice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from aggregates.order.events import (
    OrderCompleted,
    OrderCreated,
    OrderFailed,
    OrderPaymentFailed,
    Status,
)
from aggregates.order.state import Order
from kernel.entitlement import Entitlement
from kernel.offer import LicenseTerms
from kernel.sale import MethodWords, Sale, Totals


@dataclass(frozen=True, slots=True, kw_only=True)
class Purchase:
    """What is ordered; the invoice is None for a trial."""

    order_id: UUID
    sale: Sale
    totals: Totals
    invoice_id: UUID | None
    invoice_number: str | None
    is_paid: bool
    is_trial: bool = False
    is_renewal: bool = False
    entitlements: tuple[Entitlement, ...] = ()
    license: LicenseTerms | None = None
    custom_fields: Mapping[str, Any] | None = None


def create(state: Order, purchase: Purchase, *, number: str, at: datetime) -> list[OrderCreated]:
    """Take the order; COMPLETE at once when nothing is due."""
    if state.status is not Status.ABSENT:
        return []
    return [
        OrderCreated(
            order_id=purchase.order_id,
            number=number,
            status=Status.COMPLETE if purchase.is_paid else Status.PENDING,
            sale=purchase.sale,
            totals=purchase.totals,
            invoice_id=purchase.invoice_id,
            invoice_number=purchase.invoice_number,
            is_trial=purchase.is_trial,
            is_renewal=purchase.is_renewal,
            entitlements=purchase.entitlements,
            license=purchase.license,
            custom_fields=purchase.custom_fields,
            occurred_at=at,
        )
    ]


def complete(
    state: Order, *, method: MethodWords, payment_id: str, at: datetime
) -> list[OrderCompleted]:
    """The order was paid, be it after it had been given up."""
    if state.status not in {Status.PENDING, Status.FAILED}:
        return []
    return [OrderCompleted(order_id=state.id, method=method, payment_id=payment_id, occurred_at=at)]


def record_payment_failure(
    state: Order, *, code: str, message: str, method: MethodWords | None, at: datetime
) -> list[OrderPaymentFailed]:
    """A payment failed; the order waits for the next one."""
    if state.status is not Status.PENDING:
        return []
    return [
        OrderPaymentFailed(
            order_id=state.id, code=code, message=message, method=method, occurred_at=at
        )
    ]


def give_up(state: Order, *, reason: str, at: datetime) -> list[OrderFailed]:
    """The order will not come about."""
    if state.status is not Status.PENDING:
        return []
    return [OrderFailed(order_id=state.id, reason=reason, occurred_at=at)]
