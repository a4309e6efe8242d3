"""Facts about the discounts of a subscription."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from kernel.discount import DiscountTerms
from kernel.interval import Period


class DiscountSource(StrEnum):
    """How a subscription came by a discount."""

    CODE = "code"
    RETENTION = "retention"


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionDiscountAttached:
    """Invoices of whole periods are reduced from the next one on, as long as ``terms`` say."""

    subscription_id: UUID
    terms: DiscountTerms
    source: DiscountSource
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionDiscountsUsed:
    """An invoice of a whole period used a cycle of each of ``discounts``; ``ended`` have no more.

    ``period`` is the one that was invoiced, None for a one-time sale.
    """

    subscription_id: UUID
    invoice_id: UUID
    discounts: tuple[UUID, ...]
    ended: tuple[UUID, ...]
    period: Period | None
    occurred_at: datetime


DiscountEvent = SubscriptionDiscountAttached | SubscriptionDiscountsUsed
