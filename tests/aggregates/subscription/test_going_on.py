"""How a subscription goes on: each step is keyed by what it is."""

from datetime import timedelta

from aggregates.subscription import decide, dunning
from aggregates.subscription.dunning import Failed, RetrySchedule
from aggregates.subscription.events import (
    Initiator,
    SubscriptionActivated,
    SubscriptionBecamePastDue,
    SubscriptionFellFurtherBehind,
    SubscriptionIncompleteExpired,
    SubscriptionPaymentRetried,
    SubscriptionTrialEndingSoon,
)
from aggregates.subscription.state import SUBSCRIPTION
from kernel.interval import Period, add_months
from tests.builders import (
    APRIL_1,
    APRIL_2,
    CUSTOMER,
    INVOICE,
    MARCH_1,
    MARCH_8,
    MARCH_15,
    SUB,
    canceled,
    created,
    ending,
    incomplete,
    past_due,
    recovered,
    renewed,
    trialing,
)
from tests.story import Given


SCHEDULE = RetrySchedule((7, 14))
SOFT = Failed(invoice_id=INVOICE, is_final=False, is_retried=True)
HARD = Failed(invoice_id=INVOICE, is_final=True, is_retried=True)


def given(*facts):
    return Given(SUBSCRIPTION, *facts)


def test_it_renews_at_the_end_of_its_period_and_once():
    story = given(created())
    story.when(decide.renew, invoice_id=INVOICE, at=MARCH_15).then_nothing()
    story = story.when(decide.renew, invoice_id=INVOICE, at=APRIL_1).then(renewed())
    story.when(decide.renew, invoice_id=INVOICE, at=APRIL_1).then_nothing()


def test_it_renews_while_past_due_but_not_when_it_ends():
    behind = given(created(), past_due())
    behind.when(decide.renew, invoice_id=INVOICE, at=APRIL_1).then(renewed())
    for last in (ending(), canceled()):
        over = given(created(), last)
        over.when(decide.renew, invoice_id=INVOICE, at=APRIL_2).then_nothing()


def test_the_first_payment_starts_the_period():
    activated = SubscriptionActivated(
        subscription_id=SUB,
        anchor=MARCH_8,
        period=Period(MARCH_8, add_months(MARCH_8, 1)),
        invoice_id=INVOICE,
        occurred_at=MARCH_15,
    )
    story = given(incomplete())
    pays = {"invoice_id": INVOICE, "paid_from": MARCH_8, "at": MARCH_15}
    story.when(decide.activate, **pays).then(activated).when(decide.activate, **pays).then_nothing()


def test_nobody_pays():
    story = given(incomplete())
    story.when(decide.expire, at=MARCH_8 - timedelta(microseconds=1)).then_nothing()
    expired = SubscriptionIncompleteExpired(subscription_id=SUB, occurred_at=MARCH_8)
    story = story.when(decide.expire, at=MARCH_8).then(expired)
    story.when(decide.expire, at=MARCH_15).then_nothing()
    given(created()).when(decide.expire, at=MARCH_15).then_nothing()


def test_a_trial_is_reminded_of_once_and_in_time():
    soon = SubscriptionTrialEndingSoon(
        subscription_id=SUB, trial_ends_at=MARCH_15, occurred_at=MARCH_15 - timedelta(days=3)
    )
    story = given(trialing(until=MARCH_15))
    story.when(decide.remind_of_trial_end, at=MARCH_8).then_nothing()
    story.when(decide.remind_of_trial_end, at=MARCH_15).then_nothing()
    told = story.when(decide.remind_of_trial_end, at=soon.occurred_at).then(soon)
    told.when(decide.remind_of_trial_end, at=soon.occurred_at).then_nothing()


def test_the_first_failure_begins_the_schedule():
    begun = SubscriptionBecamePastDue(
        subscription_id=SUB,
        invoice_id=INVOICE,
        next_retry_at=MARCH_15,
        cancel_at=None,
        occurred_at=MARCH_8,
    )
    fails = {"failed": SOFT, "schedule": SCHEDULE, "at": MARCH_8}
    given(created()).when(dunning.fall_behind, **fails).then(begun)
    given(incomplete()).when(dunning.fall_behind, **fails).then_nothing()
    given(created(), canceled()).when(dunning.fall_behind, **fails).then_nothing()


def test_a_hard_decline_begins_none():
    begun = past_due(next_retry_at=None, cancel_at=MARCH_8 + timedelta(days=14))
    given(created()).when(dunning.fall_behind, failed=HARD, schedule=SCHEDULE, at=MARCH_8).then(
        begun
    )


def test_a_retry_happens_once_per_step():
    retried = SubscriptionPaymentRetried(
        subscription_id=SUB,
        number=1,
        next_retry_at=MARCH_8 + timedelta(days=14),
        occurred_at=MARCH_15,
    )
    story = given(created(), past_due())
    story.when(dunning.retry, schedule=SCHEDULE, at=MARCH_8).then_nothing()
    story = story.when(dunning.retry, schedule=SCHEDULE, at=MARCH_15).then(retried)
    story.when(dunning.retry, schedule=SCHEDULE, at=MARCH_15).then_nothing()


def test_the_last_failure_ends_it_once_nothing_is_in_flight():
    last = SubscriptionPaymentRetried(
        subscription_id=SUB, number=2, next_retry_at=None, occurred_at=MARCH_15
    )
    story = given(created(), past_due(), last)
    waits = Failed(invoice_id=INVOICE, is_final=False, is_retried=True, is_settled=False)
    story.when(dunning.fall_behind, failed=waits, schedule=SCHEDULE, at=MARCH_15).then_nothing()
    story.when(dunning.fall_behind, failed=SOFT, schedule=SCHEDULE, at=MARCH_15).then(
        canceled(initiator=Initiator.PROVIDER)
    )


def test_another_invoice_joins_the_first():
    other = Failed(invoice_id=CUSTOMER, is_final=False, is_retried=True)
    joined = SubscriptionFellFurtherBehind(
        subscription_id=SUB, invoice_id=CUSTOMER, occurred_at=MARCH_8
    )
    story = given(created(), past_due())
    story = story.when(dunning.fall_behind, failed=other, schedule=SCHEDULE, at=MARCH_8)
    assert story.then(joined).state.dunning.invoices == (INVOICE, CUSTOMER)


def test_what_is_paid_is_recovered():
    story = given(created(), past_due()).when(dunning.recover, at=MARCH_15).then(recovered())
    story.when(dunning.recover, at=MARCH_15).then_nothing()
    assert story.state.anchor == MARCH_1


def test_giving_up_waits_for_its_day():
    stopped = past_due(next_retry_at=None, cancel_at=MARCH_15)
    story = given(created(), stopped)
    story.when(dunning.give_up, at=MARCH_8).then_nothing()
    story.when(dunning.give_up, at=MARCH_15).then(canceled(initiator=Initiator.PROVIDER))
