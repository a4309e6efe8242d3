"""What discounts leave of a price, exactly; rounding comes later, once per line (design 7)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from uuid import UUID

from kernel.money import Money


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceOff:
    """One discount: ``percentage`` (1 to 100) or a fixed ``amount``; exactly one of them is set."""

    percentage: int | None = None
    amount: Money | None = None


def percentages_leave(units: Fraction | int, offs: Iterable[PriceOff]) -> Fraction:
    """What all percentages leave, in their order: each takes its part of what is left."""
    left = Fraction(units)
    for off in offs:
        if off.percentage is not None:
            left *= Fraction(100 - off.percentage, 100)
    return left


def discounts_leave(units: Fraction | int, offs: Iterable[PriceOff]) -> Fraction:
    """What is left of a price in minor units after percentages first, then fixed amounts.

    A fixed amount takes at most what is left. This is what a period is worth when a change
    credits or charges a part of it (design 7).
    """
    offs = tuple(offs)
    left = percentages_leave(units, offs)
    for off in offs:
        if off.amount is not None:
            left -= min(left, Fraction(off.amount.units))
    return left


class Duration(StrEnum):
    """For how many invoiced periods a discount holds (design 13)."""

    ONCE = "ONCE"
    REPEATING = "REPEATING"
    FOREVER = "FOREVER"


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscountTerms:
    """A discount as it was when a subscription got it: later changes of it do not matter.

    ``cycles`` counts invoiced periods, None is for ever. ``code`` None: not one that people type in
    (a retention offer).
    """

    id: UUID
    name: str
    off: PriceOff
    duration: Duration
    cycles: int | None
    code: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AppliedDiscount:
    """A discount on an invoice; ``amount`` (not negative) is what it took."""

    id: UUID
    name: str
    off: PriceOff
    amount: Money
    code: str | None = None


@dataclass(frozen=True, slots=True)
class Limit:
    """Where and for what a promotion tells a code; what is empty does not limit it."""

    countries: tuple[str, ...] = ()
    products: tuple[UUID, ...] = ()
    plans: tuple[UUID, ...] = ()

    def is_for(self, product: UUID, plan: UUID) -> bool:
        """Whether it is for a plan of a product."""
        if not self.products and not self.plans:
            return True
        return product in self.products or plan in self.plans

    def is_in(self, country: str | None) -> bool:
        """Whether it is for who is billed there."""
        return not self.countries or country in self.countries


UNLIMITED = Limit()
"""Of a promotion that tells the code to everybody, for everything."""
