"""Prices as a plan version states them, and the exact arithmetic of their models (wire 18.3)."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from uuid import UUID

from kernel.entitlement import Reset, Rollover, UsageAlerts
from kernel.errors import Invalid
from kernel.interval import ChargePeriod
from kernel.money import MAX_UNITS, exponent


DEFAULT_TRIAL_DAYS = 7
LONGEST_TRIAL_DAYS = 365
LARGEST_QUANTITY = 10**9
FINEST_DECIMALS = 12
"""A rate may be finer than the currency (0.0004 per call), but not than this many decimals."""


class PriceType(StrEnum):
    """Whether a plan costs anything; CUSTOM is sold on request, never directly."""

    FREE = "FREE"
    PAID = "PAID"
    CUSTOM = "CUSTOM"


class PriceModel(StrEnum):
    """How a quantity becomes an amount (wire 30.1)."""

    FLAT = "FLAT"
    PACKAGE = "PACKAGE"
    TIERED = "TIERED"
    VOLUME = "VOLUME"
    STAIRSTEP = "STAIRSTEP"


TIER_MODELS = frozenset({PriceModel.TIERED, PriceModel.VOLUME, PriceModel.STAIRSTEP})


class PaymentType(StrEnum):
    """Whether a feature's quantity is bought ahead (seats) or billed after use."""

    ADVANCE_COMMITMENT = "ADVANCE_COMMITMENT"
    PAY_AS_YOU_GO = "PAY_AS_YOU_GO"


class TaxBehavior(StrEnum):
    """Whether amounts contain the tax."""

    INCLUSIVE = "INCLUSIVE"
    EXCLUSIVE = "EXCLUSIVE"
    UNSPECIFIED = "UNSPECIFIED"


@dataclass(frozen=True, slots=True)
class Rate:
    """An exact amount in minor units that may be finer than a unit: ``numerator/denominator``."""

    numerator: int
    denominator: int = 1

    @property
    def units(self) -> Fraction:
        """The exact minor units."""
        return Fraction(self.numerator, self.denominator)

    def decimal(self, currency: str) -> Decimal:
        """The amount in major units: ``Rate(7, 10)`` of USD is 0.007."""
        return (Decimal(self.numerator) / self.denominator).scaleb(-exponent(currency))


NOTHING = Rate(0)


def parse_rate(amount: str | int | Decimal, currency: str) -> Rate:
    """Major units to an exact rate in minor units. Raises Invalid, UnknownCurrency."""
    places = exponent(currency)
    try:
        exact = Decimal(amount)
    except (ArithmeticError, ValueError):
        raise Invalid(f"{amount!r} is not an amount.") from None
    if not exact.is_finite() or exact < 0 or exact >= Decimal(MAX_UNITS).scaleb(-places):
        raise Invalid("The amount is out of range.")
    decimals = -int(exact.normalize().as_tuple().exponent)
    if decimals > FINEST_DECIMALS:
        raise Invalid(f"An amount has at most {FINEST_DECIMALS} decimals.")
    scaled = Fraction(exact) * 10**places
    return Rate(scaled.numerator, scaled.denominator)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tier:
    """Units up to ``up_to`` (None: no end) cost ``unit`` each, and ``flat`` once."""

    up_to: int | None
    unit: Rate = NOTHING
    flat: Rate = NOTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """What is charged per period; ``rate`` for FLAT and PACKAGE, ``tiers`` for the other models.

    ``minimum`` and ``maximum`` bound the quantity of a FLAT price with a feature.
    """

    period: ChargePeriod
    rate: Rate = NOTHING
    block_size: int = 1
    tiers: tuple[Tier, ...] = ()
    minimum: int | None = None
    maximum: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceRow:
    """The charges of one feature, or the base price when ``feature`` is None (FLAT only)."""

    feature: UUID | None = None
    model: PriceModel = PriceModel.FLAT
    payment: PaymentType = PaymentType.ADVANCE_COMMITMENT
    reset: Reset | None = None
    reset_time: str | None = None
    unlimited: bool = False
    rollover: Rollover | None = None
    usage_alerts: UsageAlerts | None = None
    charges: tuple[Charge, ...] = ()

    def charge(self, period: ChargePeriod) -> Charge | None:
        """The charge of a period, if this row has one."""
        return next((charge for charge in self.charges if charge.period is period), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """The price of a plan version in one currency."""

    id: UUID
    type: PriceType
    currency: str
    free_trial: bool = False
    trial_days: int = DEFAULT_TRIAL_DAYS
    enabled: bool = True
    tax_behavior: TaxBehavior = TaxBehavior.EXCLUSIVE
    rows: tuple[PriceRow, ...] = ()

    @property
    def base(self) -> PriceRow | None:
        """The row without a feature."""
        return next((row for row in self.rows if row.feature is None), None)

    @property
    def periods(self) -> tuple[ChargePeriod, ...]:
        """The periods on offer, in the order of the price list: those that every row has."""
        first = self.base or (self.rows[0] if self.rows else None)
        if first is None:
            return ()
        offered = (charge.period for charge in first.charges)
        return tuple(p for p in offered if all(row.charge(p) for row in self.rows))


def amount_of(model: PriceModel, charge: Charge, quantity: int) -> Fraction:
    """Exact minor units of a quantity (wire 30.1); nothing is rounded here."""
    match model:
        case PriceModel.FLAT:
            return charge.rate.units * quantity
        case PriceModel.PACKAGE:
            return charge.rate.units * -(-quantity // charge.block_size)
        case PriceModel.TIERED:
            return _tiered(charge.tiers, quantity)
        case PriceModel.VOLUME:
            tier = _reached(charge.tiers, quantity)
            return tier.unit.units * quantity + tier.flat.units if quantity else Fraction(0)
        case PriceModel.STAIRSTEP:
            return _reached(charge.tiers, quantity).flat.units if quantity else Fraction(0)


def _tiered(tiers: tuple[Tier, ...], quantity: int) -> Fraction:
    total, below = Fraction(0), 0
    for tier in tiers:
        if quantity <= below:
            break
        top = quantity if tier.up_to is None else min(quantity, tier.up_to)
        total += tier.unit.units * (top - below) + tier.flat.units
        below = top
    return total


def _reached(tiers: tuple[Tier, ...], quantity: int) -> Tier:
    return next(tier for tier in tiers if tier.up_to is None or quantity <= tier.up_to)
