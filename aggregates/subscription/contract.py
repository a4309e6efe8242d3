"""What a customer and a merchant agreed on."""

from __future__ import annotations

from dataclasses import dataclass

from kernel.money import Money
from kernel.offer import OfferTerms
from kernel.price_rule import PriceRule


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """What was agreed: the terms, and ``amount`` per period before discounts and tax.

    ``terms.plan.version`` is the version of the price, ``feature_version`` that of the features:
    a migration may move either alone. ``price_rule`` made the prices of the terms out of those of
    the catalog, and makes those of later changes.
    """

    terms: OfferTerms
    amount: Money
    feature_version: int
    is_custom_pricing: bool = False
    price_rule: PriceRule | None = None
