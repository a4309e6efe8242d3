"""Charge periods and anchored calendar arithmetic (design 6, cases 1).

A period is half-open, ``[start, end)``. The n-th boundary is always computed from the stored
anchor, never from the boundary before it: 31 January, 28 February, 31 March.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from fractions import Fraction
from typing import Final


class Unit(StrEnum):
    """The calendar unit of an interval."""

    DAY = "DAY"
    WEEK = "WEEK"
    MONTH = "MONTH"
    YEAR = "YEAR"


class ChargePeriod(StrEnum):
    """How often a price recurs (wire 6.3)."""

    ONE_TIME = "ONE_TIME"
    DAILY = "DAILY"
    WEEKLY = "WEEKLY"
    TWENTY_EIGHT_DAYS = "TWENTY_EIGHT_DAYS"
    MONTHLY = "MONTHLY"
    THREE_MONTHS = "THREE_MONTHS"
    SIX_MONTHS = "SIX_MONTHS"
    YEARLY = "YEARLY"


@dataclass(frozen=True, slots=True)
class Interval:
    """``count`` units: ``Interval(Unit.MONTH, 3)`` is a quarter."""

    unit: Unit
    count: int


INTERVALS: Final[dict[ChargePeriod, Interval]] = {
    ChargePeriod.DAILY: Interval(Unit.DAY, 1),
    ChargePeriod.WEEKLY: Interval(Unit.WEEK, 1),
    ChargePeriod.TWENTY_EIGHT_DAYS: Interval(Unit.DAY, 28),
    ChargePeriod.MONTHLY: Interval(Unit.MONTH, 1),
    ChargePeriod.THREE_MONTHS: Interval(Unit.MONTH, 3),
    ChargePeriod.SIX_MONTHS: Interval(Unit.MONTH, 6),
    ChargePeriod.YEARLY: Interval(Unit.YEAR, 1),
}
"""The interval of each recurring charge period; ONE_TIME has none."""

_FIXED = {Unit.DAY: timedelta(days=1), Unit.WEEK: timedelta(days=7)}
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Period:
    """A half-open stretch of time ``[start, end)`` in UTC."""

    start: datetime
    end: datetime

    def contains(self, at: datetime) -> bool:
        """Whether ``at`` lies in ``[start, end)``."""
        return self.start <= at < self.end

    def overlap(self, other: Period) -> timedelta:
        """How long both run at once."""
        together = min(self.end, other.end) - max(self.start, other.start)
        return max(together, timedelta())

    def remaining(self, at: datetime, pauses: Iterable[Period] = ()) -> Fraction:
        """The exact part of the period that is left at ``at``, between 0 and 1 (design 7).

        Time in ``pauses`` counts neither as left nor as part of the period.
        """
        rest, pauses = Period(min(max(at, self.start), self.end), self.end), tuple(pauses)
        return Fraction(rest.counted(pauses) // _MICROSECOND, self.counted(pauses) // _MICROSECOND)

    def counted(self, pauses: Iterable[Period]) -> timedelta:
        """Its length without the time in ``pauses``."""
        stood_still = sum((self.overlap(pause) for pause in pauses), timedelta())
        return self.end - self.start - stood_still


def add_months(anchor: datetime, months: int) -> datetime:
    """Move by calendar months and clamp to the last day of the target month."""
    index = anchor.year * 12 + anchor.month - 1 + months
    year, month = divmod(index, 12)
    day = min(anchor.day, monthrange(year, month + 1)[1])
    return anchor.replace(year=year, month=month + 1, day=day)


def boundary(anchor: datetime, interval: Interval, n: int) -> datetime:
    """The n-th boundary after the anchor (n may be 0 or negative)."""
    if interval.unit in _FIXED:
        return anchor + _FIXED[interval.unit] * (interval.count * n)
    months = interval.count * (12 if interval.unit is Unit.YEAR else 1)
    return add_months(anchor, months * n)


def nth_period(anchor: datetime, interval: Interval, n: int) -> Period:
    """The period between the n-th and the next boundary; n counts from 0."""
    return Period(boundary(anchor, interval, n), boundary(anchor, interval, n + 1))


def period_at(anchor: datetime, interval: Interval, at: datetime) -> tuple[int, Period]:
    """The number and the period that contains ``at`` (number negative before the anchor)."""
    n = _guess(anchor, interval, at)
    while boundary(anchor, interval, n) > at:
        n -= 1
    while boundary(anchor, interval, n + 1) <= at:
        n += 1
    return n, nth_period(anchor, interval, n)


def _guess(anchor: datetime, interval: Interval, at: datetime) -> int:
    if interval.unit in _FIXED:
        return (at - anchor) // (_FIXED[interval.unit] * interval.count)
    months = interval.count * (12 if interval.unit is Unit.YEAR else 1)
    return ((at.year - anchor.year) * 12 + at.month - anchor.month) // months


def recurrence_text(period: ChargePeriod) -> str:
    """The text form of the interval: ``"1 month"``, ``"28 day"``; empty for ONE_TIME (wire 6.1)."""
    interval = INTERVALS.get(period)
    return "" if interval is None else f"{interval.count} {interval.unit.lower()}"
