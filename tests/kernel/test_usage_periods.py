"""When usage resets: with the subscription or with the calendar."""

from datetime import UTC, datetime

import pytest

from kernel.entitlement import Reset
from kernel.reset import CALENDAR, usage_period


ANCHOR = datetime(2026, 1, 31, 10, 30, tzinfo=UTC)
NOW = datetime(2026, 5, 14, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("reset", "own", "calendar"),
    [
        (Reset.EVERY_DAY, "05-14 10:30", "05-15 00:00"),
        (Reset.EVERY_WEEK, "05-16 10:30", "05-18 00:00"),
        (Reset.EVERY_28_DAYS, "05-23 10:30", "05-23 10:30"),
        (Reset.EVERY_MONTH, "05-31 10:30", "06-01 00:00"),
        (Reset.EVERY_QUARTER, "07-31 10:30", "07-01 00:00"),
    ],
)
def test_the_next_reset(reset, own, calendar):
    for reset_time, expected in ((None, own), (CALENDAR, calendar)):
        period = usage_period(reset, reset_time, ANCHOR, NOW)
        assert f"{period.end:%m-%d %H:%M}" == expected
        assert period.contains(NOW)


def test_a_year_is_counted_from_the_start_or_from_january():
    assert usage_period(Reset.EVERY_YEAR, None, ANCHOR, NOW).end == ANCHOR.replace(year=2027)
    january = datetime(2027, 1, 1, tzinfo=UTC)
    assert usage_period(Reset.EVERY_YEAR, CALENDAR, ANCHOR, NOW).end == january


def test_never_has_no_period():
    assert usage_period(Reset.NEVER, CALENDAR, ANCHOR, NOW) is None
