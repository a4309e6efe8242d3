"""What a customer and a merchant agreed on."""

from __future__ import annotations

from dataclasses import dataclass

from kernel.money import Money
from kernel.offer import OfferTerms


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """What was agreed: the terms, and ``amount`` per period before discounts and tax.

    ``terms.plan.version`` is the version of the price, ``feature_version`` that of the features:
    a migration may move either alone.
    """

    terms: OfferTerms
    amount: Money
    feature_version: int
    is_custom_pricing: bool = False
