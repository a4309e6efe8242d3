"""Decisions about the life of a subscription: how it begins, goes on and is paid for.

All of them are keyed by what they are (the renewal for the period that starts then), so that a
timer which fires twice, late or after a crash changes nothing more (design 6).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from aggregates.subscription.contract import Contract
from aggregates.subscription.events import (
    OwnCard,
    Status,
    SubscriptionActivated,
    SubscriptionCreated,
    SubscriptionEvent,
    SubscriptionIncompleteExpired,
    SubscriptionRenewed,
    SubscriptionTrialConverted,
    SubscriptionTrialEndingSoon,
)
from aggregates.subscription.state import Subscription
from kernel.errors import Conflict, Invalid, NotFound
from kernel.interval import INTERVALS, Interval, Period, nth_period, period_at


INCOMPLETE_FOR = timedelta(hours=24)
"""An incomplete subscription that nobody pays expires after this (design 8)."""

REMIND_BEFORE = timedelta(days=3)
SHORTEST_REMINDED = timedelta(days=1)


class SubscriptionNotFound(NotFound):
    """Subscription not found."""

    code = "subscription_not_found"


class SubscriptionExists(Conflict):
    """A subscription with this id exists already."""

    code = "subscription_exists"


class StartsInTheFuture(Invalid):
    """A subscription cannot start in the future; give it a trial instead."""

    code = "starts_in_the_future"


class NothingToTry(Invalid):
    """A one-time purchase has no trial."""

    code = "no_trial"


class TrialEndsTooEarly(Invalid):
    """The trial must end in the future."""

    code = "trial_end_in_the_past"


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """What a new subscription is to be.

    ``trial_ends_at`` None: no trial. ``must_pay``: something is due, so that it is ``incomplete``
    until paid. ``bill_past_periods`` False: what began before now is not invoiced.
    ``invoice_id`` is the invoice of the first period, if it has one.
    ``is_charge``: a one-time charge, paid by its first attempt or never. ``checkout`` is the
    session that it is bought in: that says how long it may wait for its payment.
    ``own_card``: nothing else pays for it.
    """

    customer: UUID
    contract: Contract
    started_at: datetime
    trial_ends_at: datetime | None = None
    must_pay: bool = True
    bill_past_periods: bool = True
    payment_method: UUID | None = None
    test_clock: UUID | None = None
    invoice_id: UUID | None = None
    is_charge: bool = False
    checkout: UUID | None = None
    own_card: OwnCard | None = None

    @property
    def interval(self) -> Interval | None:
        """How the contract recurs; None for a one-time sale."""
        return INTERVALS.get(self.contract.terms.period)

    @property
    def anchor(self) -> datetime:
        """What paid periods are counted from: the end of the trial, else the start."""
        return self.trial_ends_at or self.started_at

    def is_trial(self, at: datetime) -> bool:
        """Whether it is on trial now."""
        return self.trial_ends_at is not None and self.trial_ends_at > at

    def is_prepaid(self, at: datetime) -> bool:
        """Whether the running period began before now and past ones are not billed."""
        if self.bill_past_periods or self.interval is None:
            return False
        return period_at(self.anchor, self.interval, at)[1].start < at

    def first_period(self, at: datetime) -> Period | None:
        """The first paid period: the one that runs now if past ones are not billed."""
        if self.interval is None:
            return None
        if self.bill_past_periods:
            return nth_period(self.anchor, self.interval, 0)
        return period_at(self.anchor, self.interval, at)[1]


def create(
    state: Subscription, subscription_id: UUID, start: Start, *, at: datetime
) -> list[SubscriptionEvent]:
    """Begin trialing, active when nothing is due, else incomplete until the first payment."""
    if state.status is not Status.ABSENT:
        raise SubscriptionExists
    if start.started_at > at:
        raise StartsInTheFuture
    if start.trial_ends_at is not None and start.interval is None:
        raise NothingToTry
    trial = None
    if start.trial_ends_at is not None:
        trial = Period(start.started_at, start.trial_ends_at)
    is_trial = start.is_trial(at)
    incomplete = start.must_pay and not is_trial
    waits_by_itself = incomplete and start.checkout is None
    created = SubscriptionCreated(
        subscription_id=subscription_id,
        customer=start.customer,
        contract=start.contract,
        status=_first_status(is_trial=is_trial, incomplete=incomplete),
        started_at=start.started_at,
        anchor=start.anchor,
        period=trial if is_trial else start.first_period(at),
        trial=trial,
        payment_method=start.payment_method,
        expires_at=at + INCOMPLETE_FOR if waits_by_itself else None,
        test_clock=start.test_clock,
        invoice_id=start.invoice_id,
        is_charge=start.is_charge,
        checkout=start.checkout,
        own_card=start.own_card,
        occurred_at=at,
    )
    if trial is None or not is_trial or not SHORTEST_REMINDED <= trial.end - at <= REMIND_BEFORE:
        return [created]
    soon = SubscriptionTrialEndingSoon(
        subscription_id=subscription_id, trial_ends_at=trial.end, occurred_at=at
    )
    return [created, soon]


def _first_status(*, is_trial: bool, incomplete: bool) -> Status:
    if is_trial:
        return Status.TRIALING
    return Status.INCOMPLETE if incomplete else Status.ACTIVE


def activate(
    state: Subscription, *, invoice_id: UUID, paid_from: datetime, at: datetime
) -> list[SubscriptionActivated]:
    """The first invoice was paid: the period counts from ``paid_from``, when the attempt began.

    A start in the past keeps its anchor: its periods were agreed on.
    """
    if state.status is not Status.INCOMPLETE:
        return []
    anchor = state.anchor if state.anchor < state.created_at else max(paid_from, state.anchor)
    interval = _interval(state)
    period = None if interval is None else nth_period(anchor, interval, 0)
    return [
        SubscriptionActivated(
            subscription_id=state.id,
            anchor=anchor,
            period=state.period if anchor == state.anchor else period,
            invoice_id=invoice_id,
            occurred_at=at,
        )
    ]


def refuse_charge(state: Subscription, *, at: datetime) -> list[SubscriptionIncompleteExpired]:
    """What is tried once and was not paid then never came about (design 8)."""
    if state.status is not Status.INCOMPLETE or not is_tried_once(state):
        return []
    return [SubscriptionIncompleteExpired(subscription_id=state.id, occurred_at=at)]


def is_tried_once(state: Subscription) -> bool:
    """What its first payment does not bring about never comes about."""
    return state.is_charge or state.checkout is not None


def expire(
    state: Subscription, *, at: datetime, early: bool = False
) -> list[SubscriptionIncompleteExpired]:
    """Nobody paid in time, or, ``early``, there is no more time."""
    if state.status is not Status.INCOMPLETE or state.expires_at is None:
        return []
    if at < state.expires_at and not early:
        return []
    return [SubscriptionIncompleteExpired(subscription_id=state.id, occurred_at=at)]


def remind_of_trial_end(state: Subscription, *, at: datetime) -> list[SubscriptionTrialEndingSoon]:
    """Once, from three days before the end; never once the trial is over (spec: Events)."""
    if state.status is not Status.TRIALING or state.trial is None or state.was_reminded:
        return []
    if state.trial.end - state.trial.start < SHORTEST_REMINDED:
        return []
    if not state.trial.end - REMIND_BEFORE <= at < state.trial.end:
        return []
    return [
        SubscriptionTrialEndingSoon(
            subscription_id=state.id, trial_ends_at=state.trial.end, occurred_at=at
        )
    ]


def trial_due(state: Subscription, *, at: datetime) -> Period | None:
    """The first paid period if the trial has to be converted now."""
    interval = _interval(state)
    if state.status is not Status.TRIALING or state.trial is None or interval is None:
        return None
    if at < state.trial.end or _ends_by(state, state.trial.end):
        return None
    return nth_period(state.trial.end, interval, 0)


def convert_trial(
    state: Subscription, period: Period, *, invoice_id: UUID, at: datetime
) -> list[SubscriptionTrialConverted]:
    """The trial is over: the paid ``period`` begins where it ended, however late this is."""
    if state.status is not Status.TRIALING:
        return []
    return [
        SubscriptionTrialConverted(
            subscription_id=state.id,
            anchor=period.start,
            period=period,
            invoice_id=invoice_id,
            occurred_at=at,
        )
    ]


def renewal_due(state: Subscription, *, at: datetime) -> tuple[int, Period] | None:
    """Number and period of the next renewal if it is due, counted from the anchor."""
    interval = _interval(state)
    if state.status not in {Status.ACTIVE, Status.PAST_DUE} or interval is None:
        return None
    if state.period is None or at < state.period.end or _ends_by(state, state.period.end):
        return None
    return period_at(state.anchor, interval, state.period.end)


def renew(state: Subscription, *, invoice_id: UUID, at: datetime) -> list[SubscriptionRenewed]:
    """The next period began; after a standstill the missed ones come one by one, in order."""
    due = renewal_due(state, at=at)
    if due is None:
        return []
    number, period = due
    return [
        SubscriptionRenewed(
            subscription_id=state.id,
            number=number,
            period=period,
            invoice_id=invoice_id,
            occurred_at=at,
        )
    ]


def _ends_by(state: Subscription, instant: datetime) -> bool:
    return state.ending is not None and state.ending.ends_at <= instant


def _interval(state: Subscription) -> Interval | None:
    return None if state.contract is None else INTERVALS.get(state.contract.terms.period)
