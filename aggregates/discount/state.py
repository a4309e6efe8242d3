"""A discount as decisions see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never, get_args
from uuid import UUID

from aggregates.discount.events import (
    DiscountArchived,
    DiscountCreated,
    DiscountDisabled,
    DiscountEnabled,
    DiscountEvent,
    DiscountLimitedToCountries,
    DiscountRedeemed,
    DiscountReleased,
)
from kernel.discount import Limit
from kernel.fold import Fold


@dataclass(frozen=True, slots=True)
class Discount:
    """``limits`` are those of each promotion that tells the code.

    ``created`` None: there is none. ``redeemed`` counts the sales that used it.
    """

    created: DiscountCreated | None = None
    enabled: bool = False
    archived: bool = False
    redeemed: int = 0
    limits: Mapping[UUID, Limit] = field(default_factory=dict)


def evolve(state: Discount, event: DiscountEvent) -> Discount:
    """Total and free of rules: what is recorded is true."""
    match event:
        case DiscountCreated():
            return Discount(created=event, enabled=event.enabled)
        case DiscountRedeemed() | DiscountReleased():
            return replace(state, redeemed=event.number)
        case DiscountLimitedToCountries():
            limit = Limit(event.countries, event.products, event.plans)
            return replace(state, limits={**state.limits, event.promotion_id: limit})
        case DiscountEnabled():
            return replace(state, enabled=True)
        case DiscountDisabled():
            return replace(state, enabled=False)
        case DiscountArchived():
            return replace(state, archived=True)
        case _:
            assert_never(event)


DISCOUNT = Fold("discount", Discount(), evolve, get_args(DiscountEvent))
