"""Retention offers: the reason chooses which, the standing who, the policy how often."""

from datetime import timedelta
from uuid import UUID

import pytest

from aggregates.subscription.decide import SubscriptionNotFound
from aggregates.subscription.discount_events import DiscountSource, SubscriptionDiscountAttached
from aggregates.subscription.pauses import SubscriptionPaused
from aggregates.subscription.retention import (
    Choice,
    NotEligible,
    NothingOffered,
    OfferAlreadyUsed,
    OfferNotConfigured,
    RetentionIsOff,
    accept_discount,
    accept_pause,
    accept_support,
    applies_until,
    coupon,
    require_offer,
)
from aggregates.subscription.retention_events import (
    DiscountGiven,
    PauseGiven,
    SubscriptionRetentionOfferAccepted,
)
from aggregates.subscription.state import SUBSCRIPTION
from kernel.discount import DiscountTerms, Duration, PriceOff
from kernel.errors import InvalidFields
from kernel.interval import INTERVALS, ChargePeriod, nth_period
from kernel.money import Money
from kernel.retention import Feedback, OfferType, RepeatPolicy, RetentionOffer, RetentionSettings
from tests.billing_world import at
from tests.builders import (
    APRIL_1,
    MARCH,
    MARCH_1,
    MARCH_8,
    MARCH_15,
    SUB,
    canceled,
    contract,
    created,
    ending,
    incomplete,
    one_time,
    past_due,
    trialing,
    withdrawn,
)
from tests.story import Given


COUPON = UUID(int=60)
MONTH = INTERVALS[ChargePeriod.MONTHLY]
YEAR = nth_period(MARCH_1, INTERVALS[ChargePeriod.YEARLY], 0)
TWENTY = RetentionOffer(
    feedback=Feedback.TOO_EXPENSIVE,
    type=OfferType.DISCOUNT,
    percentage_off=20,
    billing_cycles=2,
)
REST = RetentionOffer(feedback=Feedback.UNUSED, type=OfferType.PAUSE, durations=(1, 3))
TALK = RetentionOffer(feedback=Feedback.CUSTOMER_SERVICE, type=OfferType.SUPPORT)
NOTHING = RetentionOffer(feedback=Feedback.OTHER, type=OfferType.NONE)
SETTINGS = RetentionSettings(
    enabled=True, support_url="https://help.example.com", offers=(TWENTY, REST, TALK, NOTHING)
)
CHEAPER = Choice(feedback=Feedback.TOO_EXPENSIVE, offer=OfferType.DISCOUNT)
LATER = Choice(feedback=Feedback.UNUSED, offer=OfferType.PAUSE, pause_months=3)
HELP = Choice(feedback=Feedback.CUSTOMER_SERVICE, offer=OfferType.SUPPORT)


def given(*facts):
    return Given(SUBSCRIPTION, *facts)


def accepted(when=MARCH_8, **fields):
    chosen = {"feedback": Feedback.CUSTOMER_SERVICE, "offer": OfferType.SUPPORT}
    return SubscriptionRetentionOfferAccepted(
        subscription_id=SUB, **(chosen | fields), occurred_at=when
    )


def asked(choice, *facts, settings=SETTINGS, when=MARCH_8):
    return given(*facts).when(require_offer, settings=settings, choice=choice, at=when)


@pytest.mark.parametrize(("choice", "offer"), [(CHEAPER, TWENTY), (LATER, REST), (HELP, TALK)])
def test_the_reason_chooses_the_offer(choice, offer):
    assert asked(choice, created()).decide() == offer


@pytest.mark.parametrize(
    ("history", "choices"),
    [
        ((created(),), {"CHEAPER", "LATER", "HELP"}),
        ((trialing(MARCH_15),), {"CHEAPER", "HELP"}),
        ((created(), past_due()), {"CHEAPER", "HELP"}),
        ((created(), ending(), withdrawn(MARCH_8)), {"CHEAPER", "LATER", "HELP"}),
        ((created(), ending()), set()),
        ((created(), canceled(MARCH_8)), set()),
        ((incomplete(),), set()),
        ((one_time(),), set()),
    ],
)
def test_who_may_accept_what(history, choices):
    for name, choice in {"CHEAPER": CHEAPER, "LATER": LATER, "HELP": HELP}.items():
        when = asked(choice, *history)
        if name in choices:
            assert when.decide()
        else:
            when.then_refused(NotEligible)


def test_the_refusals_of_what_is_not_offered():
    asked(HELP).then_refused(SubscriptionNotFound)
    asked(HELP, created(), settings=RetentionSettings(offers=(TALK,))).then_refused(RetentionIsOff)
    wrong = Choice(feedback=Feedback.TOO_EXPENSIVE, offer=OfferType.SUPPORT)
    asked(wrong, created()).then_refused(OfferNotConfigured)
    none = Choice(feedback=Feedback.OTHER, offer=OfferType.NONE)
    asked(none, created()).then_refused(NothingOffered)
    unknown = Choice(feedback=Feedback.LOW_QUALITY, offer=OfferType.DISCOUNT)
    asked(unknown, created()).then_refused(NothingOffered)
    two = Choice(feedback=Feedback.UNUSED, offer=OfferType.PAUSE, pause_months=2)
    asked(two, created()).then_refused(InvalidFields, "1, 3")


@pytest.mark.parametrize(
    ("policy", "times", "refused"),
    [
        (RepeatPolicy(), (), False),
        (RepeatPolicy(), (at(2020),), True),
        (RepeatPolicy(max_acceptances=2), (at(2020),), False),
        (RepeatPolicy(max_acceptances=None), (at(2020), MARCH_1, MARCH_8), False),
        (RepeatPolicy(within_months=1), (at(2025, 2, 8),), False),
        (RepeatPolicy(within_months=1), (at(2025, 2, 8, 1),), True),
        (RepeatPolicy(max_acceptances=2, within_months=12), (at(2020), MARCH_1), False),
    ],
)
def test_all_acceptances_within_the_policys_months_count(policy, times, refused):
    settings = RetentionSettings(enabled=True, offers=(TALK,), repeat_policy=policy)
    when = asked(HELP, created(), *map(accepted, times), settings=settings)
    if refused:
        when.then_refused(OfferAlreadyUsed)
    else:
        assert when.decide() == TALK


def test_a_discount_attaches_a_coupon_that_nobody_can_type_in():
    terms = coupon(TWENTY, COUPON)
    assert terms == DiscountTerms(
        id=COUPON,
        name="20% off",
        off=PriceOff(percentage=20),
        duration=Duration.REPEATING,
        cycles=2,
    )
    amounts = {"original": Money(2000, "USD"), "discounted": Money(1600, "USD")}
    discount = DiscountGiven(
        discount_id=COUPON,
        percentage_off=20,
        billing_cycles=2,
        applies_until=at(2025, 6),
        **amounts,
    )
    given(created()).when(
        accept_discount, feedback=Feedback.UNUSED, terms=terms, at=MARCH_8, **amounts
    ).then(
        accepted(feedback=Feedback.UNUSED, offer=OfferType.DISCOUNT, discount=discount),
        SubscriptionDiscountAttached(
            subscription_id=SUB, terms=terms, source=DiscountSource.RETENTION, occurred_at=MARCH_8
        ),
    )


def test_a_pause_is_recorded_as_offered():
    until = at(2025, 6, 8)
    given(created()).when(accept_pause, feedback=Feedback.UNUSED, months=3, at=MARCH_8).then(
        accepted(
            feedback=Feedback.UNUSED,
            offer=OfferType.PAUSE,
            pause=PauseGiven(months=3, resumes_at=until),
        ),
        SubscriptionPaused(
            subscription_id=SUB,
            period=MARCH,
            resumes_at=until,
            offered=True,
            occurred_at=MARCH_8,
        ),
    )


def test_support_is_recorded_alone():
    story = given(created()).when(
        accept_support, feedback=Feedback.OTHER, url="https://help.example.com", at=MARCH_8
    )
    story.then(accepted(feedback=Feedback.OTHER, url="https://help.example.com"))


def test_the_last_reduced_period_counts_from_the_anchor():
    jan_31 = at(2025, 1, 31)
    first = nth_period(jan_31, MONTH, 0)
    state = given(created(anchor=jan_31, period=first)).state
    ends = [applies_until(state, cycles) for cycles in (1, 2, 3)]
    assert ends == [None, at(2025, 4, 30), at(2025, 5, 31)]


def test_on_trial_the_first_paid_period_is_the_first_reduced_one():
    assert applies_until(given(trialing(APRIL_1)).state, 2) == APRIL_1 + timedelta(days=61)


def test_a_year_has_cycles_of_years():
    yearly = created(contract=contract(period=ChargePeriod.YEARLY), period=YEAR)
    assert applies_until(given(yearly).state, 3) == at(2029, 3)
