"""Lives on which oracle and engine once disagreed: what the machine printed, and what was wrong."""

from datetime import UTC, datetime

from tests.oracle.steps import (
    Cancel,
    Card,
    Discount,
    Jump,
    Migrate,
    Pause,
    Publish,
    Refund,
    Resume,
    Subscribe,
    Until,
    Update,
)


MARCH = datetime(2021, 3, 1, 6, 30, tzinfo=UTC)
KEPT = {
    "features that move alone bill nothing, whatever was not billed before": (
        datetime(2021, 2, 28, 0, 0, 7, tzinfo=UTC),
        [
            Card("works"),
            Subscribe("aged", "MONTHLY", seats=1),
            Publish(),
            Publish(),
            Until(datetime(2021, 5, 9, 1, 23, 24, 35953, tzinfo=UTC)),
            Migrate(0, pricing=True, features=False),
            Update(0, "aged", "MONTHLY", seats=33, behavior="NO_PRORATION"),
            Migrate(0, pricing=False, features=True),
        ],
        20,
    ),
    "what ends with its period ends with the one that a change begins": (
        MARCH,
        [
            Card("works"),
            Subscribe("pro", "MONTHLY", seats=2),
            Until(datetime(2021, 3, 12, tzinfo=UTC)),
            Cancel(0),
            Update(0, "pro", "THREE_MONTHS", seats=2),
            Until(datetime(2021, 7, 1, tzinfo=UTC)),
        ],
    ),
    "what waited is not tried at the end of collection that was declined for good": (
        datetime(2020, 12, 31, 10, 10, 10, 10, tzinfo=UTC),
        [
            Card("works-de"),
            Subscribe("pro", "THREE_MONTHS", seats=4),
            Card("stolen"),
            Until(datetime(2021, 4, 1, 10, 10, 10, 10, tzinfo=UTC)),
            Update(0, "pro", "THREE_MONTHS", seats=29, behavior="PRORATE_NEXT_INVOICE"),
            Until(datetime(2021, 4, 14, 10, 11, 10, 10, tzinfo=UTC)),
        ],
        7,
    ),
    "a new card is tried on what changes a one-time sale into a subscription": (
        datetime(2021, 10, 30, 18, 15, 3, 250000, tzinfo=UTC),
        [
            Card("works"),
            Subscribe("free", "ONE_TIME"),
            Card("authenticate"),
            Update(0, "basic", "YEARLY", waits=True),
            Card("silent_declined"),
        ],
        19,
    ),
    "a change that was paid with waiting credit, too, is worth what it cost": (
        datetime(2021, 10, 30, 18, 15, 3, 250000, tzinfo=UTC),
        [
            Card("declined"),
            Card("works-de"),
            Subscribe("pro", "MONTHLY", seats=19, trial_days=0),
            Update(0, "try", "MONTHLY", behavior="PRORATE_NEXT_INVOICE"),
            Card("pays-2"),
            Update(0, "pro", "THREE_MONTHS", seats=19, waits=True),
            Update(0, "basic", "MONTHLY", behavior="PRORATE_NEXT_INVOICE", waits=True),
        ],
    ),
    "a charge that met waiting credit was paid with it": (
        datetime(2021, 2, 21, tzinfo=UTC),
        [
            Card("works"),
            Subscribe("aged", "MONTHLY", seats=23),
            Update(0, "try", "MONTHLY", behavior="PRORATE_NEXT_INVOICE"),
            Update(0, "basic", "YEARLY"),
            Update(0, "basic", "MONTHLY"),
        ],
    ),
    "a credit that a refund limits gives back exactly what is left, tax included": (
        MARCH,
        [
            Card("works"),
            Subscribe("pro", "MONTHLY", seats=2),
            Update(0, "aged", "MONTHLY", seats=40),
            Refund(0),
            Cancel(0, "IMMEDIATE", credit=True),
        ],
        20,
    ),
    "credit that exceeds the next period takes off what is owed": (
        MARCH,
        [
            Card("works"),
            Subscribe("pro", "MONTHLY", seats=40),
            Until(datetime(2021, 3, 26, 6, 30, tzinfo=UTC)),
            Card("declined"),
            Update(0, "pro", "MONTHLY", seats=41),
            Update(0, "basic", "MONTHLY", behavior="PRORATE_NEXT_INVOICE"),
            Until(datetime(2021, 4, 1, 6, 30, tzinfo=UTC)),
        ],
    ),
    "credit of another subscription stays on the balance when a credit meets a debt": (
        MARCH,
        [
            Card("works"),
            Subscribe("pro", "MONTHLY", seats=10),
            Until(datetime(2021, 3, 6, 6, 30, tzinfo=UTC)),
            Subscribe("basic", "MONTHLY"),
            Card("declined"),
            Until(datetime(2021, 4, 2, 6, 30, tzinfo=UTC)),
            Cancel(1, "IMMEDIATE", credit=True),
            Update(0, "pro", "MONTHLY", seats=9),
        ],
    ),
    "a credit meets the bill of its own period first": (
        MARCH,
        [
            Card("works"),
            Subscribe("often", "WEEKLY"),
            Card("declined"),
            Until(datetime(2021, 3, 17, 6, 30, tzinfo=UTC)),
            Update(0, "tiny", "WEEKLY"),
        ],
    ),
    "a credit at the end takes off the last bill before anything is charged": (
        MARCH,
        [
            Card("works"),
            Subscribe("pro", "MONTHLY", seats=10),
            Until(datetime(2021, 3, 6, 6, 30, tzinfo=UTC)),
            Update(0, "pro", "MONTHLY", seats=19, behavior="PRORATE_NEXT_INVOICE"),
            Card("declined"),
            Cancel(0, "IMMEDIATE", credit=True),
        ],
    ),
    "a change that waits ends before what it waited with is settled": (
        MARCH,
        [
            Card("works"),
            Subscribe("pro", "MONTHLY", seats=10),
            Subscribe("basic", "MONTHLY"),
            Until(datetime(2021, 3, 6, 6, 30, tzinfo=UTC)),
            Cancel(1, "IMMEDIATE", credit=True),
            Update(0, "pro", "MONTHLY", seats=9, behavior="PRORATE_NEXT_INVOICE"),
            Card("authenticate"),
            Update(0, "dear", "MONTHLY", waits=True),
            Cancel(0, "IMMEDIATE", credit=True),
        ],
    ),
    "past periods stay unbilled when one begins at this instant": (
        MARCH,
        [Card("works"), Subscribe("often", "WEEKLY", days_ago=14, bill_past=False)],
    ),
    "a first period that the balance paid is credited like any other": (
        MARCH,
        [Card("works"), Subscribe("tiny", "MONTHLY", "JPY"), Cancel(0, "IMMEDIATE", credit=True)],
    ),
    "a credit smaller than a debit charges nothing": (
        MARCH,
        [
            Card("works"),
            Subscribe("tiny", "MONTHLY", "KWD"),
            Until(datetime(2021, 3, 15, tzinfo=UTC)),
            Cancel(0, "IMMEDIATE", credit=True),
        ],
    ),
    "paused time is no part of the period that a change prorates": (
        MARCH,
        [
            Card("works"),
            Subscribe("pro", "MONTHLY", seats=16),
            Until(datetime(2021, 3, 5, tzinfo=UTC)),
            Pause(0, 3),
            Until(datetime(2021, 3, 25, tzinfo=UTC)),
            Resume(0),
            Update(0, "pro", "MONTHLY", seats=8),
        ],
    ),
    "a discount that reduced the first period only has nothing to do with one begun at once": (
        MARCH,
        [
            Card("works"),
            Subscribe("pro", "THREE_MONTHS", seats=1, discount=Discount(50)),
            Update(0, "pro", "YEARLY", seats=30),
            Update(0, "pro", "YEARLY", seats=35),
        ],
    ),
    "a last try that is paid in part ends the subscription": (
        MARCH,
        [
            Card("works"),
            Subscribe("often", "DAILY"),
            Card("pays-1"),
            Jump(datetime(2021, 4, 15, 6, 30, tzinfo=UTC)),
            Card("recovers-4"),
            Card("pays-1"),
            Card("recovers-4"),
            Jump(datetime(2021, 5, 29, 6, 30, tzinfo=UTC)),
        ],
    ),
    "a change that nobody pays gives the balance back what it took": (
        MARCH,
        [
            Card("declined"),
            Subscribe("tiny", "WEEKLY"),
            Update(0, "often", "WEEKLY", waits=True),
        ],
        19,
    ),
    "the first payment after a free plan is that of a subscription": (
        MARCH,
        [
            Card("works-de"),
            Subscribe("free", "ONE_TIME"),
            Update(0, "aged", "YEARLY", seats=27, waits=True),
        ],
    ),
}
