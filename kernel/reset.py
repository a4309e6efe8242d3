"""When used-up units come back (wire 18.3)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from kernel.entitlement import Reset
from kernel.interval import Interval, Period, Unit, period_at


CALENDAR = "BEGINNING_OF_PERIOD"
"""The ``reset_time`` of entitlements that reset with the calendar: on the first of the month."""

MONDAY: Final = datetime(1900, 1, 1, tzinfo=UTC)
"""A Monday and the first day of a month, quarter and year: where calendar periods count from."""

INTERVALS: Final[dict[Reset, Interval]] = {
    Reset.EVERY_DAY: Interval(Unit.DAY, 1),
    Reset.EVERY_WEEK: Interval(Unit.WEEK, 1),
    Reset.EVERY_28_DAYS: Interval(Unit.DAY, 28),
    Reset.EVERY_MONTH: Interval(Unit.MONTH, 1),
    Reset.EVERY_QUARTER: Interval(Unit.MONTH, 3),
    Reset.EVERY_YEAR: Interval(Unit.YEAR, 1),
}


def numbered_period(
    reset: Reset, reset_time: str | None, anchor: datetime, at: datetime
) -> tuple[int, Period] | None:
    """The period whose usage counts together at ``at``, and its number; None if it never resets.

    It counts from the subscription's own anchor, or with ``BEGINNING_OF_PERIOD`` from the calendar
    in UTC. 28 days have no calendar.
    """
    interval = INTERVALS.get(reset)
    if interval is None:
        return None
    by_calendar = reset_time == CALENDAR and reset is not Reset.EVERY_28_DAYS
    return period_at(MONDAY if by_calendar else anchor, interval, at)


def usage_period(
    reset: Reset, reset_time: str | None, anchor: datetime, at: datetime
) -> Period | None:
    """The same without its number."""
    found = numbered_period(reset, reset_time, anchor, at)
    return None if found is None else found[1]
