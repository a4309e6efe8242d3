"""Facts about pauses of a subscription (design 13)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from kernel.interval import Period


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionPaused:
    """Billing and access stand still until ``resumes_at``.

    What is left of the paid ``period`` is kept and goes on then. ``offered`` says that the customer
    accepted a pause as a retention offer, which is not announced (design 9).
    """

    subscription_id: UUID
    period: Period
    resumes_at: datetime
    offered: bool = False
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionResumed:
    """Billing and access go on since ``paused.end``, however late this is recorded.

    The ``period`` ends later by the length of the pause; that end is the new ``anchor``.
    """

    subscription_id: UUID
    paused: Period
    period: Period
    anchor: datetime
    occurred_at: datetime
