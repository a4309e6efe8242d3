"""Pauses: the paid rest is kept, time in a pause is not used up, and who may pause when."""

from datetime import timedelta

import pytest

from aggregates.subscription.decide import SubscriptionNotFound, renew
from aggregates.subscription.ending import Cancellation, SubscriptionAlreadyEnded, cancel, end
from aggregates.subscription.events import CancellationType
from aggregates.subscription.pauses import SubscriptionPaused, SubscriptionResumed
from aggregates.subscription.pausing import (
    AlreadyPaused,
    NothingToPause,
    NotPaused,
    OnlyActiveCanPause,
    RenewalOverdue,
    ScheduledToCancel,
    end_pause,
    pause,
    resume,
)
from aggregates.subscription.state import SUBSCRIPTION
from kernel.errors import InvalidFields
from kernel.ids import NIL
from kernel.interval import Period, add_months
from tests.billing_world import at
from tests.builders import (
    APRIL_1,
    APRIL_2,
    MARCH,
    MARCH_1,
    MARCH_8,
    MARCH_15,
    MAY_1,
    SUB,
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


WEEK = timedelta(days=7)
APRIL_8 = APRIL_1 + WEEK


def given(*facts):
    return Given(SUBSCRIPTION, *facts)


def paused(period=MARCH, since=MARCH_8, until=MARCH_15, **fields):
    return SubscriptionPaused(
        subscription_id=SUB, period=period, resumes_at=until, occurred_at=since, **fields
    )


def resumed(since=MARCH_8, until=MARCH_15, end=APRIL_8, at=None):
    return SubscriptionResumed(
        subscription_id=SUB,
        paused=Period(since, until),
        period=Period(MARCH_1, end),
        anchor=end,
        occurred_at=at or until,
    )


def test_the_paid_rest_is_kept_and_its_end_is_the_new_anchor():
    story = given(created()).when(pause, resumes_at=MARCH_15, at=MARCH_8).then(paused())
    story = story.when(end_pause, at=MARCH_15).then(resumed())
    (next_one,) = renew(story.state, invoice_id=NIL, at=APRIL_8)
    assert next_one.period == Period(APRIL_8, at(2025, 5, 8))


def test_resuming_early_moves_the_end_by_the_time_that_was_paused():
    story = given(created(), paused(until=MAY_1))
    story.when(resume, at=MARCH_15).then(resumed()).when(end_pause, at=MAY_1).then_nothing()


def test_a_pause_that_ends_late_is_over_when_it_was_to_be():
    late = resumed(at=APRIL_2)
    given(created(), paused()).when(end_pause, at=APRIL_2).then(late)
    given(created(), paused()).when(resume, at=APRIL_2).then(late)


def test_a_pause_does_not_end_before_its_time():
    early = MARCH_15 - timedelta(microseconds=1)
    given(created(), paused()).when(end_pause, at=early).then_nothing()


def test_case_103_a_renewal_that_fires_while_paused_does_nothing():
    state = given(created(), paused(until=MAY_1))
    state.when(renew, invoice_id=NIL, at=APRIL_2).then_nothing()


@pytest.mark.parametrize(
    ("history", "refusal"),
    [
        ((), SubscriptionNotFound),
        ((trialing(MARCH_15),), OnlyActiveCanPause),
        ((created(), past_due()), OnlyActiveCanPause),
        ((incomplete(),), OnlyActiveCanPause),
        ((one_time(),), NothingToPause),
        ((created(), ending()), ScheduledToCancel),
        ((created(), canceled(MARCH_8)), SubscriptionAlreadyEnded),
        ((created(), paused()), AlreadyPaused),
    ],
)
def test_only_an_active_subscription_that_goes_on_can_pause(history, refusal):
    given(*history).when(pause, resumes_at=MARCH_15, at=MARCH_8).then_refused(refusal)


def test_an_end_that_was_taken_back_does_not_keep_from_pausing():
    story = given(created(), ending(), withdrawn(MARCH_8))
    story.when(pause, resumes_at=MARCH_15, at=MARCH_8).then(paused())


@pytest.mark.parametrize("until", [MARCH_8, MARCH_1])
def test_a_pause_ends_in_the_future(until):
    given(created()).when(pause, resumes_at=until, at=MARCH_8).then_refused(InvalidFields)


def test_a_period_that_is_over_is_billed_before_a_pause():
    given(created()).when(pause, resumes_at=MAY_1, at=APRIL_1).then_refused(RenewalOverdue)


def test_what_is_not_paused_cannot_resume():
    given(created()).when(resume, at=MARCH_8).then_refused(NotPaused)
    given(created(), paused(), resumed()).when(resume, at=APRIL_2).then_refused(NotPaused)
    given().when(resume, at=MARCH_8).then_refused(SubscriptionNotFound)


def test_case_105_resuming_after_the_end_is_refused():
    over = given(created(), paused(), canceled(MARCH_8))
    over.when(resume, at=MARCH_15).then_refused(SubscriptionAlreadyEnded)
    due = given(created(), paused(until=MAY_1), ending(MARCH_15))
    due.when(resume, at=MARCH_15).then_refused(SubscriptionAlreadyEnded)


def test_an_end_that_came_during_the_pause_is_not_followed_by_its_resumption():
    story = given(created(), paused(until=MAY_1), ending(MARCH_15))
    story.when(end_pause, at=MAY_1).then_nothing()


def test_with_the_period_means_at_once_while_paused():
    story = given(created(), paused(until=MAY_1))
    story.when(cancel, wish=Cancellation(), at=MARCH_15).then(canceled())


def test_a_day_of_its_own_ends_it_paused_or_not():
    wish = Cancellation(type=CancellationType.SPECIFIC_DATE, on=APRIL_2.date())
    fixed = ending(APRIL_2, CancellationType.SPECIFIC_DATE, MARCH_15)
    story = given(created(), paused(until=MAY_1)).when(cancel, wish=wish, at=MARCH_15).then(fixed)
    ended = canceled(APRIL_2, requested_at=MARCH_15)
    story.when(end, at=APRIL_2).then(ended).when(end_pause, at=MAY_1).then_nothing()


def test_case_102_months_of_a_pause_count_from_its_day():
    assert add_months(at(2025, 1, 31), 1) == at(2025, 2, 28)
    assert add_months(at(2025, 1, 31), 2) == at(2025, 3, 31)


def test_paused_time_is_neither_left_nor_part_of_the_period():
    long = Period(at(2025), at(2025, 4))
    stood_still = (Period(at(2025, 1, 15), at(2025, 3, 15)),)
    assert long.counted(stood_still) == timedelta(days=31)
    assert long.remaining(at(2025, 3, 20), stood_still) * 31 == 12
    assert long.remaining(at(2025, 1, 15), stood_still) * 31 == 17
    assert long.remaining(at(2025), stood_still) == 1
    assert long.remaining(at(2025, 5), stood_still) == 0
    before = (Period(at(2024, 11), at(2024, 12)),)
    assert long.remaining(at(2025, 2, 14), before) * 90 == 46
