"""In which currency plans are shown and sold together: pure, for pricing pages and checkouts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aggregates.plan.pricing import CurrencyNotPriced, chosen_price
from aggregates.plan.versions import PlanVersion
from kernel.price import Price, PriceType


NO_AMOUNT = frozenset({PriceType.FREE, PriceType.CUSTOM})
"""Prices that say the same in every currency."""


@dataclass(frozen=True, slots=True)
class Offered:
    """A version that is on sale; ``default_currency`` is that of its product."""

    version: PlanVersion
    default_currency: str | None

    def price(self, currency: str | None) -> Price | None:
        """The price in a currency, else in its own; None when nothing of it is enabled."""
        for wanted in (currency, None):
            try:
                return chosen_price(self.version, wanted, self.default_currency)
            except CurrencyNotPriced:
                continue
        return next((price for price in self.version.prices if price.enabled), None)

    def is_priced_in(self, currency: str) -> bool:
        """Whether it costs something in the currency, or nothing in any."""
        default = self.default_currency
        enabled = (p for p in self.version.prices if p.enabled or p.currency == default)
        return any(price.type in NO_AMOUNT or price.currency == currency for price in enabled)


def base_currency(plans: Sequence[Offered]) -> str | None:
    """The currency of who is told no other: that of the first plan that costs anything."""
    prices = [price for plan in plans if (price := plan.price(None)) is not None]
    prices.sort(key=lambda price: price.type in NO_AMOUNT)
    return prices[0].currency if prices else None


def common_currency(plans: Sequence[Offered], local: str | None) -> str | None:
    """The local currency if every plan has a price in it, else the base currency."""
    if local is not None and all(plan.is_priced_in(local) for plan in plans):
        return local
    return base_currency(plans)
