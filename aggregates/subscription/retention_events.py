"""Facts about customers who were about to leave (spec: Retention)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from kernel.money import Money
from kernel.retention import Feedback, OfferType


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscountGiven:
    """What an accepted discount means: ``original`` is billed per period before it.

    ``applies_until`` is the end of the last reduced period, None when it is a single one.
    """

    discount_id: UUID
    percentage_off: int
    billing_cycles: int
    original: Money
    discounted: Money
    applies_until: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PauseGiven:
    """What an accepted pause means."""

    months: int
    resumes_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionRetentionOfferAccepted:
    """A customer who wanted to leave because of ``feedback`` took what was offered instead.

    The part of the offer's type is set: ``discount``, ``pause``, or ``url`` for SUPPORT.
    """

    subscription_id: UUID
    feedback: Feedback
    offer: OfferType
    discount: DiscountGiven | None = None
    pause: PauseGiven | None = None
    url: str | None = None
    occurred_at: datetime
