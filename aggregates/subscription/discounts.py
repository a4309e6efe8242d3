"""The discounts that a subscription has: attached once, used up by invoiced periods (design 7)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from aggregates.subscription.changes import SubscriptionChangeRequested
from aggregates.subscription.discount_events import (
    DiscountEvent,
    DiscountSource,
    SubscriptionDiscountAttached,
    SubscriptionDiscountsUsed,
)
from kernel.discount import DiscountTerms
from kernel.interval import Period


@dataclass(frozen=True, slots=True)
class HeldDiscount:
    """A discount with the number of cycles used; ``invoice_id`` is the newest that it reduced.

    ``before`` is what it was before that, should the invoice come to nothing.
    """

    terms: DiscountTerms
    used: int = 0
    invoice_id: UUID | None = None
    period: Period | None = None
    before: HeldDiscount | None = None

    @property
    def is_due(self) -> bool:
        """The next invoiced period is reduced by it."""
        return self.terms.cycles is None or self.used < self.terms.cycles


def attach(
    held: Iterable[HeldDiscount],
    subscription_id: UUID,
    terms: DiscountTerms,
    *,
    source: DiscountSource = DiscountSource.CODE,
    at: datetime,
) -> list[SubscriptionDiscountAttached]:
    """Give a subscription a discount; the same one (by its id) is attached once."""
    if any(each.terms.id == terms.id for each in held):
        return []
    return [
        SubscriptionDiscountAttached(
            subscription_id=subscription_id, terms=terms, source=source, occurred_at=at
        )
    ]


def use(
    held: Iterable[HeldDiscount],
    subscription_id: UUID,
    applied: Iterable[UUID],
    *,
    invoice_id: UUID,
    period: Period | None,
    at: datetime,
) -> list[SubscriptionDiscountsUsed]:
    """An invoiced period uses one cycle of each discount that was applied to it."""
    wanted = set(applied)
    used = [each for each in held if each.terms.id in wanted and each.is_due]
    if not used:
        return []
    ended = (each.terms.id for each in used if each.used + 1 == each.terms.cycles)
    return [
        SubscriptionDiscountsUsed(
            subscription_id=subscription_id,
            invoice_id=invoice_id,
            discounts=tuple(each.terms.id for each in used),
            ended=tuple(ended),
            period=period,
            occurred_at=at,
        )
    ]


def held_after(held: tuple[HeldDiscount, ...], event: DiscountEvent) -> tuple[HeldDiscount, ...]:
    """The discounts as a fact leaves them."""
    if isinstance(event, SubscriptionDiscountAttached):
        return (*held, HeldDiscount(event.terms))
    used = set(event.discounts)
    return tuple(_used(each, event) if each.terms.id in used else each for each in held)


def moved(
    held: tuple[HeldDiscount, ...], invoice_id: UUID, period: Period | None
) -> tuple[HeldDiscount, ...]:
    """The discounts after the period of an invoice was moved to when it was paid."""
    return tuple(
        replace(each, period=period) if each.invoice_id == invoice_id else each for each in held
    )


def given_back(
    held: tuple[HeldDiscount, ...], request: SubscriptionChangeRequested | None
) -> tuple[HeldDiscount, ...]:
    """The discounts after nobody paid for a change that waited: its invoice used none up."""
    if request is None:
        return held
    return tuple(
        each.before if each.before and each.invoice_id == request.invoice_id else each
        for each in held
    )


def _used(held: HeldDiscount, event: SubscriptionDiscountsUsed) -> HeldDiscount:
    return HeldDiscount(
        terms=held.terms,
        used=held.used + 1,
        invoice_id=event.invoice_id,
        period=event.period,
        before=replace(held, before=None),
    )
