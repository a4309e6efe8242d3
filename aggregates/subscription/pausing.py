"""Decisions about pauses: billing and access stand still, the paid rest is kept (design 13)."""

from __future__ import annotations

from datetime import datetime

from aggregates.subscription.decide import SubscriptionNotFound
from aggregates.subscription.ending import SubscriptionAlreadyEnded
from aggregates.subscription.events import Status
from aggregates.subscription.pauses import SubscriptionPaused, SubscriptionResumed
from aggregates.subscription.state import Subscription
from kernel.errors import Invalid, InvalidFields, Unavailable
from kernel.interval import Period


class OnlyActiveCanPause(Invalid):
    """Only an active subscription can be paused."""

    code = "not_active"


class AlreadyPaused(Invalid):
    """The subscription is paused already."""

    code = "already_paused"


class ScheduledToCancel(Invalid):
    """The subscription is scheduled to be canceled; take that back first."""

    code = "scheduled_to_cancel"


class ChangePending(Invalid):
    """A change of the subscription waits for its payment; it cannot be paused yet."""

    code = "change_pending"


class NothingToPause(Invalid):
    """A one-time purchase does not recur: there is nothing to pause."""

    code = "nothing_to_pause"


class NotPaused(Invalid):
    """The subscription is not paused."""

    code = "not_paused"


class RenewalOverdue(Unavailable):
    """Periods that have begun are still being billed; try again in a moment."""

    code = "renewal_overdue"


def pause(
    state: Subscription, *, resumes_at: datetime, offered: bool = False, at: datetime
) -> list[SubscriptionPaused]:
    """Stand still from now on until an instant in the future.

    Raises SubscriptionNotFound, SubscriptionAlreadyEnded, AlreadyPaused, OnlyActiveCanPause,
    ScheduledToCancel, NothingToPause, ChangePending, RenewalOverdue, InvalidFields.
    """
    _require_life(state)
    if state.status is Status.PAUSED:
        raise AlreadyPaused
    if state.status is not Status.ACTIVE:
        raise OnlyActiveCanPause
    if state.ending is not None:
        raise ScheduledToCancel
    if state.period is None:
        raise NothingToPause
    if state.pending is not None:
        raise ChangePending
    if at >= state.period.end:
        raise RenewalOverdue
    if resumes_at <= at:
        raise InvalidFields({"resumesAt": ["The instant must lie in the future."]})
    return [
        SubscriptionPaused(
            subscription_id=state.id,
            period=state.period,
            resumes_at=resumes_at,
            offered=offered,
            occurred_at=at,
        )
    ]


def resume(state: Subscription, *, at: datetime) -> list[SubscriptionResumed]:
    """Go on now, before the pause is over.

    Raises SubscriptionNotFound, SubscriptionAlreadyEnded, NotPaused.
    """
    _require_life(state)
    if state.ending is not None and state.ending.ends_at <= at:
        raise SubscriptionAlreadyEnded
    if state.pause is None:
        raise NotPaused
    return [_resumed(state, state.pause, min(at, state.pause.resumes_at), at)]


def end_pause(state: Subscription, *, at: datetime) -> list[SubscriptionResumed]:
    """The pause is over; early, or resumed or ended before, nothing happens."""
    if state.pause is None or at < state.pause.resumes_at:
        return []
    if state.ending is not None and state.ending.ends_at < state.pause.resumes_at:
        return []
    return [_resumed(state, state.pause, state.pause.resumes_at, at)]


def _resumed(
    state: Subscription, pause: SubscriptionPaused, resumed_at: datetime, at: datetime
) -> SubscriptionResumed:
    stood_still = Period(pause.occurred_at, resumed_at)
    end = pause.period.end + (stood_still.end - stood_still.start)
    return SubscriptionResumed(
        subscription_id=state.id,
        paused=stood_still,
        period=Period(pause.period.start, end),
        anchor=end,
        occurred_at=at,
    )


def _require_life(state: Subscription) -> None:
    if state.status is Status.ABSENT:
        raise SubscriptionNotFound
    if state.status in {Status.CANCELED, Status.INCOMPLETE_EXPIRED}:
        raise SubscriptionAlreadyEnded
