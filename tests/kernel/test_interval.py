"""Periods: counted from the anchor, half-open, exact to the microsecond (cases 1 to 15)."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel.interval import INTERVALS, ChargePeriod, Period, boundary, nth_period, period_at


MONTHLY = INTERVALS[ChargePeriod.MONTHLY]
YEARLY = INTERVALS[ChargePeriod.YEARLY]
WEEKLY = INTERVALS[ChargePeriod.WEEKLY]


def day(year, month, day, hour=0):
    return datetime(year, month, day, hour, tzinfo=UTC)


@pytest.mark.parametrize(
    ("anchor", "interval", "expected"),
    [
        pytest.param(
            day(2025, 1, 31),
            MONTHLY,
            [day(2025, 2, 28), day(2025, 3, 31), day(2025, 4, 30), day(2025, 5, 31)],
            id="case 1",
        ),
        pytest.param(
            day(2024, 1, 31),
            MONTHLY,
            [day(2024, 2, 29), day(2024, 3, 31), day(2024, 4, 30)],
            id="case 2",
        ),
        pytest.param(
            day(2024, 2, 29),
            YEARLY,
            [day(2025, 2, 28), day(2026, 2, 28), day(2027, 2, 28), day(2028, 2, 29)],
            id="case 4",
        ),
        pytest.param(
            day(2025, 1, 31, 10),
            WEEKLY,
            [day(2025, 2, 7, 10), day(2025, 2, 14, 10)],
            id="case 7",
        ),
        pytest.param(
            day(2024, 1, 30),
            MONTHLY,
            [day(2024, 2, 29), day(2024, 3, 30)],
            id="trap 2: 30 January in a leap year",
        ),
    ],
)
def test_boundaries_are_counted_from_the_anchor(anchor, interval, expected):
    found = [boundary(anchor, interval, n) for n in range(1, len(expected) + 1)]
    assert found == expected


def test_case_14_the_end_belongs_to_the_next_period():
    march = Period(day(2025, 3, 1), day(2025, 4, 1))
    assert march.contains(day(2025, 4, 1) - timedelta(microseconds=1))
    assert not march.contains(day(2025, 4, 1))
    assert period_at(day(2025, 3, 1), MONTHLY, day(2025, 4, 1))[0] == 1


def test_case_10_what_is_left_is_counted_in_seconds():
    march = Period(day(2025, 3, 1), day(2025, 4, 1))
    left = march.remaining(day(2025, 3, 10, 6))
    assert left == Fraction(1_879_200, 2_678_400)


def test_trap_16_the_whole_is_the_period_and_the_rest_never_leaves_it():
    march = Period(day(2025, 3, 1), day(2025, 4, 1))
    assert march.remaining(day(2025, 2, 1)) == 1
    assert march.remaining(day(2025, 5, 1)) == 0


@given(
    st.datetimes(
        day(1990, 1, 1).replace(tzinfo=None),
        day(2090, 1, 1).replace(tzinfo=None),
        timezones=st.just(UTC),
    ),
    st.sampled_from(sorted(INTERVALS)),
    st.integers(-300, 300),
)
def test_an_instant_lies_in_exactly_one_period(anchor, period, n):
    interval = INTERVALS[period]
    found = nth_period(anchor, interval, n)
    assert found.start < found.end == nth_period(anchor, interval, n + 1).start
    assert period_at(anchor, interval, found.start) == (n, found)
    assert period_at(anchor, interval, found.end - timedelta(microseconds=1)) == (n, found)
