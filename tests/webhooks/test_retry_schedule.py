"""When failed deliveries come back."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subscribers.webhooks.schedule import DELAYS, LONGEST_HOLD, Schedule, retry_after


NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_ten_attempts_over_more_than_75_hours():
    schedule = Schedule()
    delays = [schedule.after(failures, 0.0) for failures in range(1, 12)]
    assert delays[:9] == list(DELAYS)
    assert delays[9:] == [None, None]
    assert timedelta(hours=75) < sum(DELAYS, timedelta()) < timedelta(hours=77)


@given(st.integers(1, 9), st.floats(0, 1))
def test_jitter_never_shortens_a_delay_and_stretches_it_by_a_tenth_at_most(failures, chance):
    delay = Schedule().after(failures, chance)
    assert DELAYS[failures - 1] <= delay <= DELAYS[failures - 1] * 1.1


@given(st.integers(1, 8), st.floats(0, 1), st.floats(0, 1))
def test_delays_only_grow(failures, one, other):
    schedule = Schedule()
    assert schedule.after(failures, one) < schedule.after(failures + 1, other)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("120", timedelta(minutes=2)),
        (" 7 ", timedelta(seconds=7)),
        ("Sun, 01 Mar 2026 12:10:00 GMT", timedelta(minutes=10)),
        ("Sun, 01 Mar 2026 11:00:00 GMT", timedelta()),
        ("-5", timedelta()),
        ("soon", timedelta()),
        ("", timedelta()),
        ("\u0663", timedelta()),
        ("999999999999999999999999", LONGEST_HOLD),
        ("Sun, 01 Mar 2199 12:10:00 GMT", LONGEST_HOLD),
    ],
)
def test_retry_after_is_read_in_both_forms_and_bounded(text, expected):
    assert retry_after({"retry-after": text}, NOW) == expected


def test_no_header_asks_for_nothing():
    assert retry_after({}, NOW) == timedelta()
