"""What reduces the present period of a subscription, and what will reduce the next one."""

from __future__ import annotations

from datetime import datetime

from aggregates.subscription.state import Subscription
from kernel.discount import DiscountTerms, PriceOff


def offs_for(state: Subscription, at: datetime) -> tuple[PriceOff, ...]:
    """What reduced the invoice of the present period: proration in it is after these."""
    if state.period is None or not state.period.contains(at) or state.invoice_id is None:
        return ()
    held = (each for each in state.discounts if each.invoice_id == state.invoice_id)
    return tuple(each.terms.off for each in held)


def due_discounts(state: Subscription) -> tuple[DiscountTerms, ...]:
    """What reduces the next invoice of a whole period, in order of attachment."""
    return tuple(each.terms for each in state.discounts if each.is_due)
