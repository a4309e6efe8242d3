"""How usage counts: in which period, with what carried over, against which subscription.

Nothing is recorded when a period ends: which one usage belongs to follows from the instant alone
(wire 18.3, 30.3).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from kernel.entitlement import AlertThreshold, Reset, Rollover, UsageAlerts
from kernel.interval import Period
from kernel.reset import numbered_period


class Behaviour(StrEnum):
    """What a report does: replace the usage of the present period, or add to it (wire 22)."""

    SET = "SET"
    DELTA = "DELTA"


@dataclass(frozen=True, slots=True, kw_only=True)
class Meter:
    """What one subscription grants of a feature per period. ``limit`` None: no limit."""

    limit: int | None
    anchor: datetime
    reset: Reset | None = None
    reset_time: str | None = None
    rollover: Rollover | None = None

    def numbered(self, at: datetime) -> tuple[int, Period] | None:
        """Number and bounds of the period at an instant; None when it never resets."""
        if self.reset is None:
            return None
        return numbered_period(self.reset, self.reset_time, self.anchor, at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """Units ``used`` in a period, and those ``rolled`` over into it; ``at`` the last report.

    ``told`` are the marks of the thresholds that were told in the period.
    """

    used: int = 0
    rolled: int = 0
    period: Period | None = None
    told: tuple[str, ...] = ()
    at: datetime

    def limit(self, meter: Meter) -> int | None:
        """What may be used in the period, carried units included."""
        return None if meter.limit is None else meter.limit + self.rolled


def present(meter: Meter, last: Count | None, at: datetime) -> Count:
    """What counts at an instant. ``last`` is as of the last report, None before the first."""
    if last is not None:
        at = max(at, last.at)
    found = meter.numbered(at)
    if found is None:
        return Count(at=at) if last is None else replace(last, period=None, at=at)
    period = found[1]
    if last is not None and period.contains(last.at):
        return replace(last, period=period, at=at)
    return Count(rolled=_carried(meter, last, found[0]), period=period, at=at)


def taken_over(last: Count, meter: Meter, at: datetime) -> Count:
    """The same usage under other terms: it counts in the period that runs there by then."""
    found = meter.numbered(at)
    return replace(last, period=None if found is None else found[1], at=max(at, last.at))


def _carried(meter: Meter, last: Count | None, number: int) -> int:
    """What is left of all periods since the last report, or since the anchor."""
    first = meter.numbered(meter.anchor if last is None else last.at)
    if meter.limit is None or first is None:
        return 0
    rolled, used = (0, 0) if last is None else (last.rolled, last.used)
    for _ in range(number - first[0]):
        carried = rolled_over(meter.rollover, meter.limit + rolled - used)
        if carried == rolled and not used:
            break  # it stays like this from here on
        rolled, used = carried, 0
    return rolled if number > first[0] else 0


def rolled_over(rollover: Rollover | None, unused: int) -> int:
    """Units that survive a reset: min(unused x percentage, limit), whole ones (wire 30.3)."""
    if rollover is None or not rollover.enabled or unused <= 0:
        return 0
    part = unused * rollover.percentage // 100
    return part if rollover.limit is None else min(part, rollover.limit)


@dataclass(frozen=True, slots=True)
class Share:
    """What one subscription bears of a feature's usage. ``limit`` None: no limit."""

    used: int
    limit: int | None


def split(shares: Sequence[Share], behaviour: Behaviour, value: int) -> list[int]:
    """The usage each bears after a report, oldest subscription first (design 13).

    Each is filled up to its limit, the overflow is the last one's. Corrections take from the last
    one first, and end at 0. The sum is the customer's usage, whatever it is split into.
    """
    used = [0 if behaviour is Behaviour.SET else share.used for share in shares]
    if value < 0:
        for n in reversed(range(len(used))):
            taken = min(used[n], -value)
            used[n], value = used[n] - taken, value + taken
        return used
    for n, share in enumerate(shares):
        is_last = n == len(shares) - 1
        room = value if is_last or share.limit is None else max(0, share.limit - used[n])
        used[n], value = used[n] + min(room, value), value - min(room, value)
    return used


def reached(
    alerts: UsageAlerts | None, *, limit: int | None, used: int, told: Collection[str] = ()
) -> Iterator[tuple[int, str]]:
    """Thresholds that were not told in this period, with the mark that says they are.

    In the order in which usage meets them.
    """
    if alerts is None or not alerts.enabled or not limit:
        return
    by_percent = alerts.threshold_type is AlertThreshold.PERCENTAGE
    for threshold in sorted(set(alerts.thresholds), reverse=not by_percent):
        mark = f"{alerts.threshold_type.value} {threshold}"
        is_met = used * 100 >= threshold * limit if by_percent else limit - used <= threshold
        if is_met and mark not in told:
            yield threshold, mark
