"""Decisions about a discount: made, switched, archived."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from aggregates.discount.events import (
    AppliesTo,
    DiscountArchived,
    DiscountCreated,
    DiscountDisabled,
    DiscountEnabled,
    DiscountLimitedToCountries,
)
from aggregates.discount.state import Discount
from kernel.discount import UNLIMITED, Duration, Limit, PriceOff
from kernel.errors import Conflict, Invalid, InvalidFields, NotAllowed, NotFound


class DiscountNotFound(NotFound):
    """No such discount."""

    code = "discount_not_found"


class DiscountCodeTaken(Conflict):
    """The discount code was used before."""

    code = "discount_code_taken"


class DiscountAlreadyArchived(Invalid):
    """The discount is archived already."""

    code = "discount_archived"


class NotMerchantOfRecord(NotAllowed):
    """Discounts are for Merchant of Record organizations only."""

    code = "not_merchant_of_record"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDiscount:
    """What a discount shall be; ``cycles`` is for REPEATING alone."""

    name: str
    off: PriceOff
    duration: Duration
    cycles: int | None = None
    max_redemptions: int | None = None
    expires_at: datetime | None = None
    enabled: bool = True


def create(
    state: Discount,
    discount_id: UUID,
    code: str,
    new: NewDiscount,
    *,
    applies_to: tuple[AppliesTo, ...],
    at: datetime,
) -> list[DiscountCreated]:
    """Make a discount that can be redeemed from now on."""
    if state.created is not None:
        raise DiscountCodeTaken(f"The discount code {code} was used before.")
    if new.expires_at is not None and new.expires_at <= at:
        raise InvalidFields({"expiresAt": ["The date must be in the future."]})
    return [
        DiscountCreated(
            discount_id=discount_id,
            code=code,
            name=new.name,
            off=new.off,
            duration=new.duration,
            cycles=1 if new.duration is Duration.ONCE else new.cycles,
            max_redemptions=new.max_redemptions,
            expires_at=new.expires_at,
            applies_to=applies_to,
            enabled=new.enabled,
            occurred_at=at,
        )
    ]


def switch(
    state: Discount, *, enabled: bool, at: datetime
) -> list[DiscountEnabled | DiscountDisabled]:
    """Let the code work or not; the same again changes nothing."""
    created = _in_use(state)
    if enabled == state.enabled:
        return []
    fact = DiscountEnabled if enabled else DiscountDisabled
    return [fact(discount_id=created.discount_id, occurred_at=at)]


def limit(
    state: Discount, promotion_id: UUID, wanted: Limit, *, at: datetime
) -> list[DiscountLimitedToCountries]:
    """Let a promotion keep the code to what it is told for; the same again changes nothing."""
    if state.created is None or state.limits.get(promotion_id, UNLIMITED) == wanted:
        return []
    return [
        DiscountLimitedToCountries(
            discount_id=state.created.discount_id,
            promotion_id=promotion_id,
            countries=wanted.countries,
            products=wanted.products,
            plans=wanted.plans,
            occurred_at=at,
        )
    ]


def archive(state: Discount, *, at: datetime) -> list[DiscountArchived]:
    """Let the code never work again; it stays taken."""
    return [DiscountArchived(discount_id=_in_use(state).discount_id, occurred_at=at)]


def _in_use(state: Discount) -> DiscountCreated:
    if state.created is None:
        raise DiscountNotFound
    if state.archived:
        raise DiscountAlreadyArchived
    return state.created
