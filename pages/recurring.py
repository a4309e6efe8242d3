"""Prices that come back: how much, and how often, in words."""

from __future__ import annotations

from kernel.interval import INTERVALS, ChargePeriod
from kernel.money import Money
from wire.language import Language


def every(speaks: Language, amount: str, count: int | None, unit: str | None) -> str:
    """``$20.00 per month``, ``€50.00 every 3 months``; the amount alone when it is paid once."""
    if count is None or unit is None:
        return amount
    return speaks.count_of(f"every.{unit}", count, amount=amount)


def per_period(speaks: Language, amount: Money, period: ChargePeriod) -> str:
    """The same of a price and the period that it is paid for."""
    interval = INTERVALS.get(period)
    count, unit = (None, None) if interval is None else (interval.count, interval.unit.value)
    return every(speaks, speaks.money(amount), count, unit)
