"""Lines of invoices: rounded once, with exact figures and the fact they came from (design 7)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from uuid import UUID

from kernel.interval import Period
from kernel.money import Money, exponent
from kernel.tax import TaxTerms


FINEST_DECIMALS = 12


@dataclass(frozen=True, slots=True)
class LineOrigin:
    """The fact whose price a line bills: a stream and the version of the fact in it."""

    stream: UUID
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodPart:
    """What a prorated line was worked out from.

    ``numerator/denominator`` are the exact minor units of the whole period after its discounts;
    ``left`` of its ``whole`` microseconds are left, both without paused time.
    """

    numerator: int
    denominator: int
    left: int
    whole: int

    @property
    def worth(self) -> Fraction:
        """The exact minor units of what is left."""
        return Fraction(self.numerator, self.denominator) * Fraction(self.left, self.whole)

    def at(self, factor: Fraction) -> PeriodPart:
        """The same part of another price."""
        price = Fraction(self.numerator, self.denominator) * factor
        return replace(self, numerator=price.numerator, denominator=price.denominator)


@dataclass(frozen=True, slots=True, kw_only=True)
class InvoiceLine:
    """One line, rounded once: ``numerator/denominator`` are its exact minor units.

    ``unit_price`` is a decimal string in major units. ``feature`` None is the base price.
    ``is_prorated``: part of a period, with its discounts already taken; such a line takes no share
    in the discounts of the invoice and uses none up. ``discount`` (not negative) is the share of a
    whole line. ``tax`` is what it is taxed by, None: not taxed. ``part`` tells how a prorated line
    came about; a credit may be less, as no more is credited than was paid and not refunded.
    """

    name: str
    description: str
    quantity: int
    unit_price: str
    amount: Money
    numerator: int
    denominator: int
    period: Period | None
    feature: str | None
    origin: LineOrigin
    is_prorated: bool = False
    discount: Money | None = None
    tax: TaxTerms | None = None
    part: PeriodPart | None = None

    @property
    def discounted(self) -> int:
        """Minor units after the discounts, the base of tax."""
        return self.amount.units - (self.discount.units if self.discount else 0)


def unit_price(units: Fraction, currency: str) -> str | None:
    """Exact minor units as major ones: ``0.007``; None when no decimal text is exact."""
    places = exponent(currency)
    scaled = units * 10 ** (FINEST_DECIMALS - places)
    if scaled.denominator != 1:
        return None
    digits = format(Decimal(scaled.numerator).scaleb(-FINEST_DECIMALS), "f")
    whole, _, decimals = digits.partition(".")
    kept = decimals.rstrip("0").ljust(places, "0")
    return f"{whole}.{kept}" if kept else whole
