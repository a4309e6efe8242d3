"""Prices by country: a rule that moves catalog prices up or down where its conditions hold.

What is shown and what is charged come from the same functions here (wire 5.2). A price is never
converted by a rate: another currency is another price of the catalog.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from uuid import UUID

from kernel.money import Money, round_half_away
from kernel.offer import OfferTerms
from kernel.price import Charge, Price, Rate
from kernel.purchasing_power import group_of


LARGEST_INCREASE = 1_000
LARGEST_DECREASE = 99
"""Percent; a rule never gives a plan away, that is what free plans and discounts are for."""


class ConditionType(StrEnum):
    """What a condition looks at."""

    COUNTRY = "COUNTRY"
    PURCHASING_POWER_GROUP = "PURCHASING_POWER_GROUP"


class Adjustment(StrEnum):
    """The way prices go."""

    INCREASE = "INCREASE"
    DECREASE = "DECREASE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """Holds in any of the countries, or in the countries of any of the groups."""

    type: ConditionType
    values: tuple[str, ...]

    def holds_in(self, country: str) -> bool:
        """Whether the country (two letters) is one of those meant."""
        if self.type is ConditionType.COUNTRY:
            return country in self.values
        return group_of(country) in self.values


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceRule:
    """Where any of the conditions holds, prices go up or down by ``percentage``."""

    id: UUID
    conditions: tuple[Condition, ...]
    adjustment: Adjustment
    percentage: int

    @property
    def factor(self) -> Fraction:
        """What a catalog price is multiplied with."""
        sign = 1 if self.adjustment is Adjustment.INCREASE else -1
        return Fraction(100 + sign * self.percentage, 100)

    def holds_in(self, country: str | None) -> bool:
        """Whether a buyer of this country pays by the rule; nobody of an unknown country does."""
        return country is not None and any(each.holds_in(country) for each in self.conditions)


def applying(rule: PriceRule | None, country: str | None) -> PriceRule | None:
    """The rule if it holds in the country."""
    return rule if rule is not None and rule.holds_in(country) else None


def localized_price(price: Price, rule: PriceRule | None) -> Price:
    """A catalog price as a rule that applies makes it; None leaves it as it is."""
    if rule is None:
        return price
    rows = (
        replace(row, charges=tuple(localized_charge(charge, rule) for charge in row.charges))
        for row in price.rows
    )
    return replace(price, rows=tuple(rows))


def localized_terms(terms: OfferTerms, rule: PriceRule | None) -> OfferTerms:
    """The terms of a sale as a rule that applies makes them: what ``localized_price`` shows."""
    if rule is None:
        return terms
    features = (
        replace(feature, charge=localized_charge(feature.charge, rule))
        for feature in terms.features
    )
    return replace(terms, base=localized_amount(terms.base, rule), features=tuple(features))


def localized_amount(amount: Money, rule: PriceRule) -> Money:
    """Rounded once, half away from zero."""
    return amount.times(rule.factor)


def localized_charge(charge: Charge, rule: PriceRule) -> Charge:
    """Every amount of a charge, in tiers too; quantities stay."""
    tiers = (
        replace(tier, unit=_rate(tier.unit, rule), flat=_rate(tier.flat, rule))
        for tier in charge.tiers
    )
    return replace(charge, rate=_rate(charge.rate, rule), tiers=tuple(tiers))


def _rate(rate: Rate, rule: PriceRule) -> Rate:
    """A price of whole units stays one that can be paid; a finer one is moved exactly."""
    exact = rate.units * rule.factor
    if rate.denominator == 1:
        return Rate(round_half_away(exact))
    return Rate(exact.numerator, exact.denominator)
