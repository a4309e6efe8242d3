"""Facts about a discount."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from kernel.discount import Duration, PriceOff
from kernel.interval import ChargePeriod


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogName:
    """A product or a plan as it was called then."""

    id: UUID
    identifier: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AppliesTo:
    """What a discount may be used for: a product, all of it or one plan or period of it."""

    product: CatalogName
    plan: CatalogName | None = None
    period: ChargePeriod | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscountCreated:
    """A discount can be redeemed; its code is taken for ever, in any case of letters.

    ``cycles`` counts invoiced periods, None is for ever. ``max_redemptions`` None: no limit.
    ``applies_to`` empty: everything.
    """

    discount_id: UUID
    code: str
    name: str
    off: PriceOff
    duration: Duration
    cycles: int | None
    max_redemptions: int | None = None
    expires_at: datetime | None = None
    applies_to: tuple[AppliesTo, ...] = ()
    enabled: bool = True
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscountRedeemed:
    """A sale used the discount; ``number`` counts the redemptions from 1."""

    discount_id: UUID
    customer: UUID
    subscription_id: UUID
    number: int
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscountReleased:
    """The sale that used the discount never came about; ``number`` redemptions are left."""

    discount_id: UUID
    subscription_id: UUID
    number: int
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscountLimitedToCountries:
    """A promotion offers the code in these countries; who is billed elsewhere cannot use it.

    It is for these ``products`` (ids) and ``plans``, without any for all. No countries: buyers may
    be billed anywhere. With nothing at all the promotion limits it no more.
    """

    discount_id: UUID
    promotion_id: UUID
    countries: tuple[str, ...]
    products: tuple[UUID, ...] = ()
    plans: tuple[UUID, ...] = ()
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscountEnabled:
    """The code works again."""

    discount_id: UUID
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscountDisabled:
    """The code cannot be used for now; subscriptions that have it keep it."""

    discount_id: UUID
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscountArchived:
    """The code can never be used again; subscriptions that have it keep it."""

    discount_id: UUID
    occurred_at: datetime


DiscountEvent = (
    DiscountCreated
    | DiscountRedeemed
    | DiscountLimitedToCountries
    | DiscountReleased
    | DiscountEnabled
    | DiscountDisabled
    | DiscountArchived
)
