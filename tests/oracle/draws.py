"""What lives are drawn from."""

from datetime import UTC, datetime, timedelta

from hypothesis import strategies as some

from tests.oracle.steps import Discount


STARTS = some.sampled_from(
    [
        datetime(2020, 1, 31, 12, 0, 1, tzinfo=UTC),
        datetime(2020, 2, 29, 23, 59, 59, tzinfo=UTC),
        datetime(2021, 2, 28, 0, 0, 7, tzinfo=UTC),
        datetime(2021, 3, 1, 6, 30, tzinfo=UTC),
        datetime(2021, 10, 30, 18, 15, 3, 250_000, tzinfo=UTC),
        datetime(2020, 12, 31, 10, 10, 10, 10, tzinfo=UTC),
        datetime(2027, 8, 31, 5, 0, tzinfo=UTC),
    ]
)
DISCOUNTS = some.builds(
    Discount,
    some.one_of(some.none(), some.sampled_from([1, 20, 35, 50, 99, 100])),
    some.integers(1, 5000),
    some.sampled_from([1, 2, 3, None]),
)
BEHAVIORS = "IMMEDIATE_CHARGE PRORATE_NEXT_INVOICE NO_PRORATION".split()
CARDS = (
    "works works-de no-refunds declined stolen authenticate "
    "recovers-1 recovers-2 recovers-4 sepa debit-0"
).split()
SCRIPTED = (
    "pays-1 pays-2 pays-3 debit-1 debit-2 silent_charged silent_declined silent_lost"
).split()
"""Behaviors that the simulator does not have, or whose outcome is known only in real time."""
SPANS = some.one_of(
    some.sampled_from([timedelta(days=days) for days in (31, 7, 15, 1, 2, 14, 28, 61, 0)]),
    some.integers(1, 45 * 86_400).map(lambda seconds: timedelta(seconds=seconds)),
    some.timedeltas(timedelta(microseconds=1), timedelta(days=45)),
)
