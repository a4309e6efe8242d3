"""The Merchant of Record fee of one payment (design 7, wire 30.5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from aggregates.transaction.events import FeeComponent, FeeName
from kernel.money import Money, round_half_away
from kernel.settings import FeeSchedule, percent


@dataclass(frozen=True, slots=True, kw_only=True)
class Charged:
    """The payment a fee is for; ``volume`` was processed before it in the same currency."""

    amount: Money
    volume: Money
    is_subscription: bool
    is_international: bool


@dataclass(frozen=True, slots=True)
class _Part:
    name: FeeName
    percentage: str | None
    units: Fraction


def assess(schedule: FeeSchedule, charged: Charged) -> tuple[FeeComponent, ...]:
    """The components of the fee: the exact sum is rounded once, then shared out.

    Percentages are of the gross amount. The payment that crosses the threshold has the first rate.
    """
    amount, parts = charged.amount, list(_parts(schedule, charged))
    exact = sum((part.units for part in parts), Fraction(0))
    least = amount.units * percent(schedule.floor_percent) + schedule.floor_fixed_units
    if least > exact:
        parts.append(_Part(FeeName.ADJUSTMENT, None, least - exact))
    return tuple(
        FeeComponent(
            name=part.name, percentage=part.percentage, amount=Money(units, amount.currency)
        )
        for part, units in zip(parts, _shared([part.units for part in parts]), strict=True)
    )


def _parts(schedule: FeeSchedule, charged: Charged) -> Iterable[_Part]:
    amount = charged.amount
    fixed = schedule.fixed(amount.currency)
    if fixed.units:
        yield _Part(FeeName.FIXED, None, Fraction(fixed.units))
    begins = charged.volume.units < schedule.threshold_units
    base = schedule.base_percent if begins else schedule.base_percent_after
    rates = (
        (FeeName.BASE, base, True),
        (FeeName.SUBSCRIPTION, schedule.subscription_percent, charged.is_subscription),
        (FeeName.INTERNATIONAL, schedule.international_percent, charged.is_international),
        (
            FeeName.CONVERSION,
            schedule.conversion_percent,
            amount.currency != schedule.payout_currency,
        ),
    )
    for name, percentage, applies in rates:
        share = percent(percentage)
        if applies and share:
            yield _Part(name, percentage, amount.units * share)


def _shared(exact: list[Fraction]) -> list[int]:
    """Whole units that sum to the rounded total (design 7: floors, then largest remainders)."""
    parts = [floor(units) for units in exact]
    rest = round_half_away(sum(exact, Fraction(0))) - sum(parts)
    order = sorted(range(len(exact)), key=lambda i: (parts[i] - exact[i], -exact[i], i))
    for i in order[:rest]:
        parts[i] += 1
    return parts
