"""Decisions about how a subscription ends (wire 6.5, design 13)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time

from aggregates.subscription.decide import SubscriptionNotFound
from aggregates.subscription.events import (
    CancellationType,
    Initiator,
    Status,
    SubscriptionCanceled,
    SubscriptionCancellationScheduled,
    SubscriptionCancellationWithdrawn,
    SubscriptionEvent,
)
from aggregates.subscription.state import Subscription
from kernel.errors import Invalid, InvalidFields
from kernel.retention import Feedback


class SubscriptionAlreadyEnded(Invalid):
    """The subscription has ended already."""

    code = "subscription_already_ended"


class NothingToCancel(Invalid):
    """There is nothing to cancel: it does not recur, or its checkout is not complete."""

    code = "nothing_to_cancel"


class NotScheduledToCancel(Invalid):
    """The subscription is not scheduled to be canceled."""

    code = "not_scheduled_to_cancel"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancellation:
    """Who wants the end, when, and why; ``on`` belongs to SPECIFIC_DATE."""

    type: CancellationType = CancellationType.CURRENT_PERIOD_ENDS
    on: date | None = None
    initiator: Initiator = Initiator.MERCHANT
    feedback: Feedback | None = None
    comment: str | None = None


def cancel(state: Subscription, wish: Cancellation, *, at: datetime) -> list[SubscriptionEvent]:
    """End now or later; the same wish again changes nothing, another one replaces it."""
    _require_life(state)
    if state.ending is not None and state.ending.ends_at <= at:
        raise SubscriptionAlreadyEnded
    waits = state.checkout is not None and state.status is Status.INCOMPLETE
    if waits or (state.period is None and state.dunning is None):
        raise NothingToCancel
    if wish.type is CancellationType.IMMEDIATE or state.status is Status.INCOMPLETE:
        return [_canceled(state, wish, at)]
    ends_at = _ends_at(state, wish, at)
    if state.ending is not None and (state.ending.type, state.ending.ends_at) == (
        wish.type,
        ends_at,
    ):
        return []
    if ends_at <= at:
        return [_canceled(state, wish, at)]
    return [
        SubscriptionCancellationScheduled(
            subscription_id=state.id,
            type=wish.type,
            ends_at=ends_at,
            initiator=wish.initiator,
            feedback=wish.feedback,
            comment=wish.comment,
            occurred_at=at,
        )
    ]


def reactivate(state: Subscription, *, at: datetime) -> list[SubscriptionCancellationWithdrawn]:
    """Take a scheduled end back while it has not come."""
    _require_life(state)
    if state.ending is None:
        raise NotScheduledToCancel
    if state.ending.ends_at <= at:
        raise SubscriptionAlreadyEnded
    return [SubscriptionCancellationWithdrawn(subscription_id=state.id, occurred_at=at)]


def follow_period(state: Subscription, *, at: datetime) -> list[SubscriptionCancellationScheduled]:
    """What ends with its period ends later, or sooner, when a change moves the end of that."""
    ending, period = state.ending, state.period
    if ending is None or period is None or ending.type is CancellationType.SPECIFIC_DATE:
        return []
    if ending.ends_at == period.end:
        return []
    return [replace(ending, ends_at=period.end, requested_at=ending.recorded_at, occurred_at=at)]


def end(state: Subscription, *, at: datetime) -> list[SubscriptionCanceled]:
    """The scheduled end has come."""
    ending = state.ending
    if ending is None or not state.is_running or at < ending.ends_at:
        return []
    return [
        SubscriptionCanceled(
            subscription_id=state.id,
            ended_at=ending.ends_at,
            requested_at=ending.recorded_at,
            initiator=ending.initiator,
            feedback=ending.feedback,
            comment=ending.comment,
            occurred_at=at,
        )
    ]


def _require_life(state: Subscription) -> None:
    if state.status is Status.ABSENT:
        raise SubscriptionNotFound
    if state.status in {Status.CANCELED, Status.INCOMPLETE_EXPIRED}:
        raise SubscriptionAlreadyEnded


def _ends_at(state: Subscription, wish: Cancellation, at: datetime) -> datetime:
    if wish.type is CancellationType.SPECIFIC_DATE:
        if wish.on is None:
            raise InvalidFields({"cancellationDate": ["This field is required."]})
        if wish.on <= at.date():
            raise InvalidFields({"cancellationDate": ["The date must be in the future."]})
        return datetime.combine(wish.on, time(), UTC)
    if state.period is None or state.status is Status.PAUSED:
        return at
    return state.period.end


def _canceled(state: Subscription, wish: Cancellation, at: datetime) -> SubscriptionCanceled:
    return SubscriptionCanceled(
        subscription_id=state.id,
        ended_at=at,
        requested_at=at,
        initiator=wish.initiator,
        feedback=wish.feedback,
        comment=wish.comment,
        occurred_at=at,
    )
