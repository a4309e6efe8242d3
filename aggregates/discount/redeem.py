"""Whether a code may be used for a sale, and what the sale gets by it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from aggregates.discount.events import (
    AppliesTo,
    DiscountCreated,
    DiscountRedeemed,
    DiscountReleased,
)
from aggregates.discount.state import Discount
from kernel.discount import UNLIMITED, DiscountTerms
from kernel.errors import Invalid
from kernel.interval import ChargePeriod


class UnknownDiscountCode(Invalid):
    """There is no such discount code."""

    code = "unknown_discount_code"


class DiscountIsDisabled(Invalid):
    """The discount code cannot be used at present."""

    code = "discount_disabled"


class DiscountHasExpired(Invalid):
    """The discount code has expired."""

    code = "discount_expired"


class DiscountIsUsedUp(Invalid):
    """The discount code was used as often as it may be."""

    code = "discount_used_up"


class DiscountDoesNotApply(Invalid):
    """The discount code is not for what is bought."""

    code = "discount_not_applicable"


class DiscountOtherCurrency(Invalid):
    """The discount code is in another currency than the price."""

    code = "discount_currency_mismatch"


class DiscountNotInCountry(Invalid):
    """The discount code is not for buyers with this billing country."""

    code = "discount_not_in_country"


@dataclass(frozen=True, slots=True, kw_only=True)
class Redeemed:
    """The sale that a code is used for; ``country`` is where the buyer is billed, if known."""

    customer: UUID
    subscription_id: UUID
    product: UUID
    plan: UUID
    period: ChargePeriod
    currency: str
    country: str | None = None


def check(state: Discount, sale: Redeemed, *, at: datetime) -> DiscountTerms:
    """What the sale gets. Raises one Invalid per reason why it gets nothing."""
    created = state.created
    if created is None or state.archived:
        raise UnknownDiscountCode
    if not state.enabled:
        raise DiscountIsDisabled
    if created.expires_at is not None and at >= created.expires_at:
        raise DiscountHasExpired
    if created.max_redemptions is not None and state.redeemed >= created.max_redemptions:
        raise DiscountIsUsedUp
    if created.applies_to and not any(_covers(row, sale) for row in created.applies_to):
        raise DiscountDoesNotApply
    _require_promoted(state, sale)
    amount = created.off.amount
    if amount is not None and amount.currency != sale.currency:
        raise DiscountOtherCurrency
    return _terms(created)


def redeem(state: Discount, sale: Redeemed, *, at: datetime) -> list[DiscountRedeemed]:
    """Count the sale; the version of the stream makes the limit exact under races."""
    terms = check(state, sale, at=at)
    return [
        DiscountRedeemed(
            discount_id=terms.id,
            customer=sale.customer,
            subscription_id=sale.subscription_id,
            number=state.redeemed + 1,
            occurred_at=at,
        )
    ]


def release(state: Discount, subscription_id: UUID, *, at: datetime) -> list[DiscountReleased]:
    """The sale never came about: somebody else may use the code."""
    if state.created is None or state.redeemed == 0:
        return []
    return [
        DiscountReleased(
            discount_id=state.created.discount_id,
            subscription_id=subscription_id,
            number=state.redeemed - 1,
            occurred_at=at,
        )
    ]


def _terms(created: DiscountCreated) -> DiscountTerms:
    return DiscountTerms(
        id=created.discount_id,
        name=created.name,
        code=created.code,
        off=created.off,
        duration=created.duration,
        cycles=created.cycles,
    )


def _require_promoted(state: Discount, sale: Redeemed) -> None:
    """A code that promotions tell works where any of them tells it, for what it is told for."""
    limits = [limit for limit in state.limits.values() if limit != UNLIMITED]
    fitting = [limit for limit in limits if limit.is_for(sale.product, sale.plan)]
    if limits and not fitting:
        raise DiscountDoesNotApply
    if limits and not any(limit.is_in(sale.country) for limit in fitting):
        raise DiscountNotInCountry


def _covers(row: AppliesTo, sale: Redeemed) -> bool:
    return (
        row.product.id == sale.product
        and (row.plan is None or row.plan.id == sale.plan)
        and (row.period is None or row.period is sale.period)
    )
