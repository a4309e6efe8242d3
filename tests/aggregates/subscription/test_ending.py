"""How a subscription ends: the three types, twice, in each status, and back again."""

from datetime import UTC, date, datetime, timedelta

import pytest

from aggregates.subscription.decide import SubscriptionNotFound
from aggregates.subscription.ending import (
    Cancellation,
    NothingToCancel,
    NotScheduledToCancel,
    SubscriptionAlreadyEnded,
    cancel,
    end,
    reactivate,
)
from aggregates.subscription.events import CancellationType
from aggregates.subscription.state import SUBSCRIPTION
from kernel.errors import InvalidFields
from tests.builders import (
    APRIL_1,
    APRIL_2,
    MARCH_8,
    MARCH_15,
    canceled,
    created,
    ending,
    incomplete,
    one_time,
    past_due,
    trialing,
    withdrawn,
)
from tests.story import Given


NOW = Cancellation(type=CancellationType.IMMEDIATE)
LATER = Cancellation()
MAY_2 = datetime(2025, 5, 2, tzinfo=UTC)
ON_MAY_2 = Cancellation(type=CancellationType.SPECIFIC_DATE, on=date(2025, 5, 2))


def given(*facts):
    return Given(SUBSCRIPTION, *facts)


def test_it_ends_with_its_period():
    given(created()).when(cancel, wish=LATER, at=MARCH_8).then(ending())


def test_asking_twice_changes_nothing():
    given(created(), ending()).when(cancel, wish=LATER, at=MARCH_15).then_nothing()


def test_another_type_replaces_the_first():
    story = given(created(), ending()).when(cancel, wish=ON_MAY_2, at=MARCH_8)
    story = story.then(ending(MAY_2, CancellationType.SPECIFIC_DATE))
    story.when(cancel, wish=NOW, at=MARCH_15).then(canceled())


def test_another_date_replaces_the_first():
    first = ending(MAY_2, CancellationType.SPECIFIC_DATE)
    wish = Cancellation(type=CancellationType.SPECIFIC_DATE, on=date(2025, 5, 3))
    moved = ending(MAY_2 + timedelta(days=1), CancellationType.SPECIFIC_DATE)
    given(created(), first).when(cancel, wish=wish, at=MARCH_8).then(moved)


def test_at_once():
    given(created()).when(cancel, wish=NOW, at=MARCH_15).then(canceled())


def test_a_trial_ends_with_its_last_day():
    given(trialing(until=APRIL_1)).when(cancel, wish=LATER, at=MARCH_8).then(ending(APRIL_1))


def test_what_never_began_ends_at_once():
    given(incomplete()).when(cancel, wish=LATER, at=MARCH_15).then(canceled())


def test_one_that_is_past_due_can_be_canceled_in_every_way():
    given(created(), past_due()).when(cancel, wish=NOW, at=MARCH_15).then(canceled())
    given(created(), past_due()).when(cancel, wish=LATER, at=MARCH_8).then(ending())


def test_a_period_that_is_over_ends_now():
    """The renewal is late: there is no later end to wait for."""
    given(created()).when(cancel, wish=LATER, at=APRIL_2).then(canceled(APRIL_2))


@pytest.mark.parametrize("day", [date(2025, 3, 8), date(2025, 3, 7)], ids=["today", "past"])
def test_a_date_that_is_not_in_the_future_is_refused(day):
    wish = Cancellation(type=CancellationType.SPECIFIC_DATE, on=day)
    given(created()).when(cancel, wish=wish, at=MARCH_8).then_refused(InvalidFields)


def test_a_specific_date_needs_a_date():
    wish = Cancellation(type=CancellationType.SPECIFIC_DATE)
    given(created()).when(cancel, wish=wish, at=MARCH_8).then_refused(InvalidFields)


@pytest.mark.parametrize("decide", [cancel, reactivate])
def test_what_is_over_or_unknown_is_refused(decide):
    wish = {"wish": NOW} if decide is cancel else {}
    over = given(created(), canceled())
    over.when(decide, at=APRIL_1, **wish).then_refused(SubscriptionAlreadyEnded)
    given().when(decide, at=APRIL_1, **wish).then_refused(SubscriptionNotFound)


def test_a_one_time_purchase_has_nothing_to_cancel():
    given(one_time()).when(cancel, wish=NOW, at=MARCH_8).then_refused(NothingToCancel)


def test_a_scheduled_end_is_taken_back():
    story = given(created(), ending()).when(reactivate, at=MARCH_15).then(withdrawn())
    story.when(reactivate, at=MARCH_15).then_refused(NotScheduledToCancel)


def test_an_end_that_has_come_is_not_taken_back():
    story = given(created(), ending()).when(reactivate, at=APRIL_1)
    story.then_refused(SubscriptionAlreadyEnded)


def test_the_end_comes_at_its_instant_and_once():
    history = given(created(), ending())
    history.when(end, at=APRIL_1 - timedelta(microseconds=1)).then_nothing()
    late = canceled(APRIL_2, ended_at=APRIL_1, requested_at=MARCH_8)
    history.when(end, at=APRIL_2).then(late).when(end, at=APRIL_2).then_nothing()


def test_a_withdrawn_end_never_comes():
    given(created(), ending(), withdrawn()).when(end, at=APRIL_2).then_nothing()
