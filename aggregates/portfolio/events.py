"""What joins and leaves a customer's portfolio of subscriptions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class PortfolioSubscriptionOpened:
    """The customer has one more subscription that has not ended."""

    subscription_id: UUID
    product_id: UUID
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PortfolioSubscriptionClosed:
    """A subscription of the customer has ended for good."""

    subscription_id: UUID
    occurred_at: datetime


PortfolioEvent = PortfolioSubscriptionOpened | PortfolioSubscriptionClosed
