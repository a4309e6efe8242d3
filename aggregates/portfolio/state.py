"""The subscriptions of one customer that have not ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import assert_never
from uuid import UUID

from aggregates.portfolio.events import (
    PortfolioEvent,
    PortfolioSubscriptionClosed,
    PortfolioSubscriptionOpened,
)
from kernel.fold import Fold
from kernel.ids import derived_id


@dataclass(frozen=True, slots=True)
class Portfolio:
    """``open`` maps a subscription to its product."""

    open: Mapping[UUID, UUID] = field(default_factory=dict)


def evolve(state: Portfolio, event: PortfolioEvent) -> Portfolio:
    """Total and free of rules: what is recorded is true."""
    match event:
        case PortfolioSubscriptionOpened():
            return Portfolio({**state.open, event.subscription_id: event.product_id})
        case PortfolioSubscriptionClosed():
            closed = event.subscription_id
            return Portfolio({key: value for key, value in state.open.items() if key != closed})
        case _:
            assert_never(event)


PORTFOLIO = Fold("portfolio", Portfolio(), evolve)


def portfolio_id(customer: UUID) -> UUID:
    """The stream of a customer's portfolio."""
    return derived_id(customer, "portfolio")
