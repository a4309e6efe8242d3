"""What counts at an instant: periods, carried units, moved anchors (wire 18.3, 30.3)."""

from datetime import UTC, datetime

import pytest

from kernel.entitlement import AlertThreshold, Reset, Rollover, UsageAlerts
from kernel.usage import Count, Meter, present, reached, rolled_over, taken_over


def at(month, day=1, hour=0, year=2026):
    return datetime(year, month, day, hour, tzinfo=UTC)


ANCHOR = at(1, 31, 10)
HALF = Rollover(enabled=True, percentage=50, limit=750)


def monthly(limit=10_000, **fields):
    return Meter(limit=limit, anchor=ANCHOR, reset=Reset.EVERY_MONTH, **fields)


def used(meter, units, when):
    """The count after so many units were reported at an instant, on top of what was there."""
    before = present(meter, None, when)
    return Count(used=units, rolled=before.rolled, period=before.period, at=when)


def test_the_example_of_the_interface():
    assert rolled_over(HALF, 2_000) == 750
    meter = monthly(rollover=HALF)
    count = present(meter, used(meter, 8_000, at(2, 1)), at(2, 28, 10))
    assert (count.used, count.rolled, count.limit(meter)) == (0, 750, 10_750)


@pytest.mark.parametrize(
    ("rollover", "unused", "carried"),
    [
        (None, 9, 0),
        (Rollover(enabled=False, percentage=100), 9, 0),
        (Rollover(enabled=True, percentage=50), 9, 4),
        (Rollover(enabled=True, percentage=100, limit=5), 9, 5),
        (Rollover(enabled=True, percentage=100, limit=0), 9, 0),
        (Rollover(enabled=True, percentage=100), 0, 0),
        (Rollover(enabled=True, percentage=100), -3, 0),
    ],
)
def test_what_survives_a_reset(rollover, unused, carried):
    assert rolled_over(rollover, unused) == carried


def test_a_month_counts_from_the_anchor_and_keeps_the_day():
    meter = monthly()
    last = used(meter, 5, at(2, 1))
    assert present(meter, last, at(2, 28, 9)).used == 5
    assert present(meter, last, at(2, 28, 10)).used == 0
    assert present(meter, None, at(3, 30)).period.end == at(3, 31, 10)


def test_the_calendar_begins_on_the_first():
    meter = monthly(reset_time="BEGINNING_OF_PERIOD")
    last = used(meter, 5, at(2, 27))
    assert present(meter, last, at(2, 28, 23)).used == 5
    assert present(meter, last, at(3)).used == 0


def test_what_never_resets_goes_on_for_ever():
    for meter in (Meter(limit=9, anchor=ANCHOR), Meter(limit=9, anchor=ANCHOR, reset=Reset.NEVER)):
        count = present(meter, used(meter, 5, at(2)), at(2, year=2040))
        assert (count.used, count.rolled, count.period) == (5, 0, None)


def test_idle_periods_carry_over_like_others():
    meter = monthly(100, rollover=Rollover(enabled=True, percentage=50, limit=None))
    last = used(meter, 100, at(2, 1))
    rolled = [present(meter, last, at(month, 15)).rolled for month in (2, 3, 4, 5, 6)]
    assert rolled == [0, 0, 50, 75, 87]


def test_who_never_reported_carries_over_since_the_anchor():
    meter = monthly(100, rollover=Rollover(enabled=True, percentage=100, limit=150))
    rolled = [present(meter, None, at(month, 15)).rolled for month in (1, 2, 3, 4, 5)]
    assert rolled == [0, 0, 100, 150, 150]


def test_other_terms_take_over_what_was_used():
    last = present(monthly(rollover=HALF), used(monthly(), 5, at(2, 10)), at(2, 14))
    yearly = Meter(limit=20, anchor=at(2, 14), reset=Reset.EVERY_YEAR)
    moved = taken_over(last, yearly, at(2, 14))
    assert (moved.used, moved.period.end) == (5, at(2, 14, year=2027))
    assert present(yearly, moved, at(2, 13, year=2027)).used == 5
    assert present(yearly, moved, at(2, 14, year=2027)).used == 0
    never = Meter(limit=20, anchor=at(2, 14))
    assert taken_over(moved, never, at(3, 1)).period is None
    back = taken_over(taken_over(moved, never, at(3, 1)), monthly(), at(3, 2))
    assert (back.used, back.period.end) == (5, at(3, 31, 10))


def test_a_report_of_the_past_does_not_open_a_closed_period():
    meter = monthly()
    last = used(meter, 5, at(3, 1))
    assert present(meter, last, at(2, 1)) == present(meter, last, at(3, 1))


def thresholds(alerts, **fields):
    return [threshold for threshold, _ in reached(alerts, **fields)]


def test_thresholds_in_percent_of_the_limit():
    alerts = UsageAlerts(enabled=True, thresholds=(100, 50, 80, 80))
    assert thresholds(alerts, limit=10, used=4) == []
    assert thresholds(alerts, limit=10, used=5) == [50]
    assert thresholds(alerts, limit=10, used=12) == [50, 80, 100]
    assert thresholds(alerts, limit=10, used=12, told=("PERCENTAGE 50",)) == [80, 100]
    assert thresholds(alerts, limit=3, used=2) == [50]


def test_thresholds_in_units_left():
    alerts = UsageAlerts(enabled=True, thresholds=(1, 5), threshold_type=AlertThreshold.BALANCE)
    assert thresholds(alerts, limit=10, used=4) == []
    assert thresholds(alerts, limit=10, used=5) == [5]
    assert thresholds(alerts, limit=10, used=30) == [5, 1]


def test_without_a_limit_or_switched_off_there_is_nothing_to_tell():
    off = UsageAlerts(enabled=False, thresholds=(1,))
    on = UsageAlerts(enabled=True, thresholds=(1,))
    assert thresholds(None, limit=10, used=10) == []
    assert thresholds(off, limit=10, used=10) == []
    assert thresholds(on, limit=None, used=10) == []
    assert thresholds(on, limit=0, used=10) == []
