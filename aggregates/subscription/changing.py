"""Decisions about a change of what a running subscription is about (wire 6.4, design 7, 13)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from uuid import UUID

from aggregates.subscription.changes import (
    SubscriptionChangeExpired,
    SubscriptionChangeRequested,
    SubscriptionPlanChanged,
    SubscriptionTrialMoved,
)
from aggregates.subscription.contract import Contract
from aggregates.subscription.decide import SubscriptionNotFound, TrialEndsTooEarly
from aggregates.subscription.ending import SubscriptionAlreadyEnded
from aggregates.subscription.events import Status
from aggregates.subscription.state import Subscription
from kernel.errors import Conflict, Invalid
from kernel.interval import INTERVALS, Interval, Period, nth_period
from kernel.lines import InvoiceLine
from kernel.settings import ProrationBehavior


PENDING_FOR = timedelta(hours=24)
"""A change that waits for its payment expires after this, or with the period (design 8)."""


class SubscriptionIncomplete(Invalid):
    """The first invoice of the subscription is not paid; it cannot be changed yet."""

    code = "subscription_incomplete"


class SubscriptionPaused(Invalid):
    """The subscription is paused; resume it first."""

    code = "subscription_paused"


class OneTimePurchase(Invalid):
    """A one-time purchase cannot be changed."""

    code = "one_time_purchase"


class NotAOneTimePurchase(Invalid):
    """A subscription cannot become a one-time purchase; only a free plan is ONE_TIME here."""

    code = "period_not_offered"


class TrialIsOver(Invalid):
    """The subscription is not on trial: a trial can only be moved, or begin with a first price."""

    code = "not_on_trial"


class ChangePending(Conflict):
    """Another change of the subscription waits for its payment."""

    code = "change_pending"


class Charging(Enum):
    """What of the new price a change bills."""

    NOTHING = auto()
    REST = auto()
    WHOLE = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What a change does to the period and what it bills.

    ``credits``: the unused rest of the present period is given back. ``defers``: the lines wait
    for the next invoice. ``trial`` is set when one begins.
    """

    contract: Contract
    anchor: datetime
    period: Period | None
    charging: Charging
    credits: bool
    defers: bool = False
    trial: Period | None = None

    @property
    def prorated(self) -> bool:
        """The rest of the period is settled: it is worth the new contract from now on."""
        return self.credits or self.charging is not Charging.NOTHING


def require_changeable(state: Subscription, *, at: datetime) -> None:
    """Refuse to change what is not running.

    Raises SubscriptionNotFound, SubscriptionAlreadyEnded, SubscriptionIncomplete,
    SubscriptionPaused, OneTimePurchase, ChangePending.
    """
    if state.contract is None:
        raise SubscriptionNotFound
    if state.status in {Status.CANCELED, Status.INCOMPLETE_EXPIRED}:
        raise SubscriptionAlreadyEnded
    if state.ending is not None and state.ending.ends_at <= at:
        raise SubscriptionAlreadyEnded
    if state.status is Status.INCOMPLETE:
        raise SubscriptionIncomplete
    if state.status is Status.PAUSED:
        raise SubscriptionPaused
    if state.period is None and not state.contract.terms.is_free:
        raise OneTimePurchase
    if state.pending is not None:
        raise ChangePending


def step(
    state: Subscription,
    contract: Contract,
    behavior: ProrationBehavior,
    *,
    trial_ends_at: datetime | None = None,
    at: datetime,
) -> Step:
    """What changing to a contract does (spec: Subscription update, cases 23 to 48).

    Another interval begins a new cycle and is invoiced at once, whatever is asked. On trial
    nothing is billed. Raises TrialIsOver, TrialEndsTooEarly, NotAOneTimePurchase.
    """
    if trial_ends_at is not None and trial_ends_at <= at:
        raise TrialEndsTooEarly
    interval = INTERVALS.get(contract.terms.period)
    if interval is None and not contract.terms.is_free:
        raise NotAOneTimePurchase
    if state.status is Status.TRIALING and interval is not None:
        return _unbilled(state, contract)
    if trial_ends_at is not None:
        return _trial(state, contract, trial_ends_at, at)
    credits_rest = behavior is not ProrationBehavior.NO_PRORATION and state.period is not None
    if _interval(state) == interval:
        if not credits_rest:
            return _unbilled(state, contract)
        defers = behavior is ProrationBehavior.PRORATE_NEXT_INVOICE
        return Step(
            contract=contract,
            anchor=state.anchor,
            period=state.period,
            charging=Charging.REST,
            credits=True,
            defers=defers,
        )
    return Step(
        contract=contract,
        anchor=at,
        period=None if interval is None else nth_period(at, interval, 0),
        charging=Charging.NOTHING if interval is None else Charging.WHOLE,
        credits=credits_rest and state.status is not Status.TRIALING,
    )


def _unbilled(state: Subscription, contract: Contract) -> Step:
    return Step(
        contract=contract,
        anchor=state.anchor,
        period=state.period,
        charging=Charging.NOTHING,
        credits=False,
    )


def _trial(state: Subscription, contract: Contract, ends_at: datetime, at: datetime) -> Step:
    """What costs something for the first time may begin with a trial."""
    if state.period is not None:
        raise TrialIsOver
    trial = Period(at, ends_at)
    return Step(
        contract=contract,
        anchor=ends_at,
        period=trial,
        charging=Charging.NOTHING,
        credits=False,
        trial=trial,
    )


def change(
    state: Subscription,
    taken: Step,
    *,
    invoice_id: UUID | None = None,
    deferred: tuple[InvoiceLine, ...] = (),
    credited_ahead: int = 0,
    at: datetime,
) -> list[SubscriptionPlanChanged]:
    """Let another contract hold; the same one changes nothing."""
    if taken.contract == state.contract:
        return []
    return [
        SubscriptionPlanChanged(
            subscription_id=state.id,
            contract=taken.contract,
            anchor=taken.anchor,
            period=taken.period,
            prorated=taken.prorated,
            invoice_id=invoice_id,
            trial=taken.trial,
            deferred=deferred,
            credited_ahead=credited_ahead,
            occurred_at=at,
        )
    ]


def move_trial(
    state: Subscription, ends_at: datetime, *, at: datetime
) -> list[SubscriptionTrialMoved]:
    """Let the running trial end at another time in the future."""
    if ends_at <= at:
        raise TrialEndsTooEarly
    if state.trial is None or state.status is not Status.TRIALING:
        raise TrialIsOver
    if state.trial.end == ends_at:
        return []
    return [
        SubscriptionTrialMoved(
            subscription_id=state.id, trial=Period(state.trial.start, ends_at), occurred_at=at
        )
    ]


def period_after_trial(state: Subscription, *, at: datetime) -> Period | None:
    """The first paid period if the trial is to end now (case 18); None when there is no trial."""
    interval = _interval(state)
    if state.status is not Status.TRIALING or interval is None:
        return None
    return nth_period(at, interval, 0)


def request(
    state: Subscription,
    taken: Step,
    *,
    change_id: UUID,
    invoice_id: UUID,
    at: datetime,
) -> list[SubscriptionChangeRequested]:
    """Let a change wait for its payment, a day at most and never beyond the period."""
    latest = at + PENDING_FOR
    expires_at = latest if state.period is None else min(latest, state.period.end)
    return [
        SubscriptionChangeRequested(
            subscription_id=state.id,
            change_id=change_id,
            contract=taken.contract,
            anchor=taken.anchor,
            period=taken.period,
            invoice_id=invoice_id,
            expires_at=expires_at,
            occurred_at=at,
        )
    ]


def complete(state: Subscription, *, at: datetime) -> list[SubscriptionPlanChanged]:
    """The change that waited was paid: it holds from now on."""
    pending = state.pending
    if pending is None:
        return []
    return [
        SubscriptionPlanChanged(
            subscription_id=state.id,
            contract=pending.contract,
            anchor=pending.anchor,
            period=pending.period,
            prorated=True,
            invoice_id=pending.invoice_id,
            change_id=pending.change_id,
            occurred_at=at,
        )
    ]


def expire_change(
    state: Subscription, *, at: datetime, is_final: bool = False
) -> list[SubscriptionChangeExpired]:
    """Nobody paid for the change in time, or its payment was refused for good."""
    pending = state.pending
    if pending is None or (at < pending.expires_at and not is_final):
        return []
    return [
        SubscriptionChangeExpired(
            subscription_id=state.id, change_id=pending.change_id, occurred_at=at
        )
    ]


def _interval(state: Subscription) -> Interval | None:
    return None if state.contract is None else INTERVALS.get(state.contract.terms.period)
