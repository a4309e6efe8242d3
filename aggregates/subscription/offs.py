"""What reduces the present period of a subscription, and what will reduce the next one."""

from __future__ import annotations

from datetime import datetime

from aggregates.subscription.state import Subscription
from kernel.discount import DiscountTerms, PriceOff


def offs_for(state: Subscription, at: datetime) -> tuple[PriceOff, ...]:
    """What reduced the invoice of the present period: proration in it is after these."""
    present = state.period
    if present is None or not present.contains(at):
        return ()
    held = (each for each in state.discounts if each.period and each.period.start >= present.start)
    return tuple(each.terms.off for each in held)


def due_discounts(state: Subscription) -> tuple[DiscountTerms, ...]:
    """What reduces the next invoice of a whole period, in order of attachment."""
    return tuple(each.terms for each in state.discounts if each.is_due)
