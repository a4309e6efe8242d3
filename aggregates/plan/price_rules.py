"""What a set of prices must satisfy before a plan takes it (wire 18.3, 18.4, 30.1, 30.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from uuid import UUID

from kernel.entitlement import FeatureWords
from kernel.errors import InvalidFields
from kernel.interval import INTERVALS, ChargePeriod
from kernel.money import MAX_UNITS, exponent
from kernel.price import (
    LONGEST_TRIAL_DAYS,
    TIER_MODELS,
    Charge,
    PaymentType,
    Price,
    PriceModel,
    PriceRow,
    PriceType,
    Tier,
)


FREE_ROWS = (PriceRow(charges=(Charge(period=ChargePeriod.ONE_TIME),)),)
"""A free plan has one charge: once, nothing (wire 5.2)."""

ONE_TIME_MODELS = frozenset({PriceModel.FLAT, PriceModel.PACKAGE})


def checked_prices(
    prices: Sequence[Price], features: Mapping[UUID, FeatureWords]
) -> tuple[Price, ...]:
    """The prices in the form they are kept in. Raises InvalidFields, UnknownCurrency."""
    problems = list(_duplicates(prices))
    for number, price in enumerate(prices):
        exponent(price.currency)
        problems += [f"prices[{number}]: {p}" for p in _price_problems(price, features)]
    if problems:
        raise InvalidFields({"prices": problems})
    return tuple(_normal(price) for price in prices)


def _duplicates(prices: Sequence[Price]) -> Iterator[str]:
    seen: set[str] = set()
    for price in prices:
        if price.currency in seen:
            yield f"There is more than one price in {price.currency}."
        seen.add(price.currency)


def _normal(price: Price) -> Price:
    """A free plan has one charge of nothing; a trial goes when nothing recurs (wire 30.4)."""
    rows = FREE_ROWS if price.type is PriceType.FREE else price.rows
    recurs = any(charge.period in INTERVALS for row in rows for charge in row.charges)
    return replace(price, rows=rows, free_trial=price.free_trial and recurs)


def _price_problems(price: Price, features: Mapping[UUID, FeatureWords]) -> Iterator[str]:
    if not 1 <= price.trial_days <= LONGEST_TRIAL_DAYS:
        yield f"trialPeriod must be from 1 to {LONGEST_TRIAL_DAYS} days."
    charges = [charge for row in price.rows for charge in row.charges]
    if price.type is PriceType.FREE and any(_costs(charge) for charge in charges):
        yield "A FREE price has no amount other than 0."
    if price.type is PriceType.PAID:
        yield from _paid_problems(price)
    for number, row in enumerate(price.rows):
        for problem in _row_problems(row, features):
            yield f"chargeCatalogPrice[{number}]: {problem}"
    keys = [row.feature for row in price.rows]
    if len(set(keys)) < len(keys):
        yield "chargeCatalogPrice: a feature, or the base price, is there more than once."


def _costs(charge: Charge) -> bool:
    tiers = any(tier.unit.numerator or tier.flat.numerator for tier in charge.tiers)
    return bool(charge.rate.numerator) or tiers


def _paid_problems(price: Price) -> Iterator[str]:
    if not any(row.charges for row in price.rows):
        yield "A PAID price needs at least one charge in chargeCatalogPrice."
    offered = {frozenset(charge.period for charge in row.charges) for row in price.rows}
    if len(offered) > 1:
        yield "Every row of chargeCatalogPrice must have the same charge periods."
    metered = [row for row in price.rows if row.payment is PaymentType.PAY_AS_YOU_GO]
    if metered and offered != {frozenset({ChargePeriod.MONTHLY})}:
        yield "With PAY_AS_YOU_GO the plan's only charge period must be MONTHLY."


def _row_problems(row: PriceRow, features: Mapping[UUID, FeatureWords]) -> Iterator[str]:
    if row.feature is None:
        if row.model is not PriceModel.FLAT or row.payment is PaymentType.PAY_AS_YOU_GO:
            yield "The base price (feature null) must be FLAT with ADVANCE_COMMITMENT."
    elif row.feature not in features:
        yield f"There is no feature {row.feature}."
    if row.payment is PaymentType.PAY_AS_YOU_GO:
        yield from _pay_as_you_go_problems(row)
    periods = [charge.period for charge in row.charges]
    if len(set(periods)) < len(periods):
        yield "A chargePeriod is there more than once."
    for charge in row.charges:
        for problem in _charge_problems(row, charge):
            yield f"{charge.period}: {problem}"


def _pay_as_you_go_problems(row: PriceRow) -> Iterator[str]:
    if row.model is PriceModel.STAIRSTEP:
        yield "PAY_AS_YOU_GO has no STAIRSTEP."
    if row.reset is not None or (row.rollover is not None and row.rollover.enabled):
        yield "PAY_AS_YOU_GO has no reset and no rollover."


def _charge_problems(row: PriceRow, charge: Charge) -> Iterator[str]:
    if row.model in TIER_MODELS:
        yield from _tier_problems(charge.tiers)
    if charge.period is ChargePeriod.ONE_TIME and row.model not in ONE_TIME_MODELS:
        yield "A one-time price is FLAT or PACKAGE."
    if row.model is PriceModel.PACKAGE and charge.block_size < 1:
        yield "block_size must be at least 1."
    if row.feature is None and charge.rate.denominator != 1:
        yield "The base price must be whole minor units of its currency."
    if charge.rate.units >= MAX_UNITS:
        yield "The amount is out of range."
    yield from _bound_problems(row, charge)


def _bound_problems(row: PriceRow, charge: Charge) -> Iterator[str]:
    low, high = charge.minimum, charge.maximum
    if (low, high) == (None, None):
        return
    if row.feature is None or row.model is not PriceModel.FLAT:
        yield "advanced is for FLAT prices with a feature only."
    if (low or 0) < 0 or (high is not None and high < max(low or 0, 1)):
        yield "min_quantity must not be negative, max_quantity not below it."


def _tier_problems(tiers: tuple[Tier, ...]) -> Iterator[str]:
    if not tiers:
        yield "tiers are missing."
        return
    tops = [tier.up_to for tier in tiers[:-1]]
    if tiers[-1].up_to is not None:
        yield "The last tier must go up to inf."
    if None in tops:
        yield "Only the last tier may go up to inf."
        return
    bounds = [0, *(top for top in tops if top is not None)]
    if any(next_ <= top for top, next_ in pairwise(bounds)):
        yield "upTo must rise from tier to tier."
