"""What is sold: the words and terms of a plan version that a sale copies into its facts."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any
from uuid import UUID

from kernel.entitlement import Entitlement
from kernel.interval import ChargePeriod
from kernel.money import Money, round_half_away
from kernel.price import Charge, PaymentType, PriceModel, PriceType, TaxBehavior, amount_of


class DurationUnit(StrEnum):
    """The unit of a license's life."""

    DAY = "DAY"
    MONTH = "MONTH"
    YEAR = "YEAR"


@dataclass(frozen=True, slots=True, kw_only=True)
class LicenseTerms:
    """Whether each order issues a license key, and what it allows (wire 3).

    ``activation_limit`` None: no limit. ``duration_value`` None: never expires.
    """

    enabled: bool = False
    activation_limit_enabled: bool = False
    activation_limit: int | None = None
    has_expiry: bool = False
    duration_unit: DurationUnit | None = None
    duration_value: int | None = None


NO_LICENSE = LicenseTerms()


@dataclass(frozen=True, slots=True)
class Link:
    """An external address that comes with a plan; http or https."""

    name: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanFile:
    """A file that comes with a plan; ``key`` is where it is kept, ``ordering`` sorts it."""

    id: UUID
    key: str
    name: str
    ordering: int
    enabled: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductWords:
    """A product as the things sold under it show it."""

    id: UUID
    identifier: str
    name: str
    tax_code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanWords:
    """A plan version as the things sold under it show it."""

    id: UUID
    identifier: str
    name: str
    version: int
    description: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    links: tuple[Link, ...] = ()
    license: LicenseTerms = NO_LICENSE
    files: tuple[PlanFile, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FeaturePrice:
    """What one feature costs in the chosen period, and the quantity that was chosen of it.

    ``payment`` PAY_AS_YOU_GO has quantity 0 here: it is billed after use.
    """

    feature: UUID
    identifier: str
    name: str
    quantity: int
    model: PriceModel
    payment: PaymentType
    charge: Charge

    @property
    def units(self) -> Fraction:
        """Exact minor units of the quantity per period."""
        return amount_of(self.model, self.charge, self.quantity)


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferLine:
    """One line of a full period's invoice: rounded once, with the exact units it came from.

    ``feature`` None is the base price. ``numerator/denominator`` are exact minor units.
    """

    feature: str | None
    description: str
    quantity: int
    amount: Money
    numerator: int
    denominator: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferTerms:
    """A plan version in one currency, period and quantities: all that a sale needs to know.

    ``base`` is the price without features; ``trial_days`` 0 means no trial. ``entitlements`` have
    the chosen quantities as their values already.
    """

    plan: PlanWords
    product: ProductWords
    currency: str
    period: ChargePeriod
    price_type: PriceType
    tax_behavior: TaxBehavior
    base: Money
    features: tuple[FeaturePrice, ...] = ()
    entitlements: tuple[Entitlement, ...] = ()
    trial_days: int = 0

    @property
    def is_free(self) -> bool:
        """A plan that never costs anything."""
        return self.price_type is PriceType.FREE

    @property
    def lines(self) -> tuple[OfferLine, ...]:
        """The lines of one full period: the base price, then each feature bought ahead."""
        base = _line(None, self.plan.name, 1, Fraction(self.base.units), self.currency)
        bought = (f for f in self.features if f.payment is PaymentType.ADVANCE_COMMITMENT)
        rest = (
            _line(f.identifier, f"{self.plan.name}: {f.name}", f.quantity, f.units, self.currency)
            for f in bought
            if f.quantity
        )
        seats = tuple(rest)
        return seats if seats and not self.base.units else (base, *seats)

    @property
    def amount(self) -> Money:
        """The full price of one period: the sum of its rounded lines."""
        return Money(sum(line.amount.units for line in self.lines), self.currency)


def _line(
    feature: str | None, description: str, quantity: int, units: Fraction, currency: str
) -> OfferLine:
    return OfferLine(
        feature=feature,
        description=description,
        quantity=quantity,
        amount=Money(round_half_away(units), currency),
        numerator=units.numerator,
        denominator=units.denominator,
    )
