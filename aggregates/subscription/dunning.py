"""Decisions about a subscription whose invoices are not paid (design 8)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from aggregates.subscription.events import (
    Initiator,
    Status,
    SubscriptionBecamePastDue,
    SubscriptionCanceled,
    SubscriptionEvent,
    SubscriptionFellFurtherBehind,
    SubscriptionPaymentRetried,
    SubscriptionRecovered,
    SubscriptionRetriesResumed,
    SubscriptionRetriesStopped,
)
from aggregates.subscription.overdue import Dunning
from aggregates.subscription.state import Subscription


@dataclass(frozen=True, slots=True)
class RetrySchedule:
    """Whole days after the first failure at which collection is tried again, ascending."""

    days: tuple[int, ...] = (1, 2, 3, 5, 7, 9, 11, 14)

    def after(self, begun_at: datetime, at: datetime) -> datetime | None:
        """The first retry later than ``at``; None when there is none left."""
        instants = (begun_at + timedelta(days=day) for day in self.days)
        return next((instant for instant in instants if instant > at), None)

    def number(self, begun_at: datetime, at: datetime) -> int:
        """How many retries were due by ``at``."""
        return sum(begun_at + timedelta(days=day) <= at for day in self.days)

    def end(self, begun_at: datetime) -> datetime:
        """When collection is over."""
        return begun_at + timedelta(days=max(self.days, default=0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """How an invoice of a subscription failed.

    ``is_final``: this method will never work (or there is none). ``is_retried``: cards are tried
    again, other methods are not. ``is_settled``: no other attempt is in flight.
    """

    invoice_id: UUID
    is_final: bool
    is_retried: bool
    is_settled: bool = True


def fall_behind(
    state: Subscription, failed: Failed, *, schedule: RetrySchedule, at: datetime
) -> list[SubscriptionEvent]:
    """An attempt failed: past due at the first failure, canceled after the last retry."""
    if state.status is Status.ACTIVE:
        return _first_failure(state, failed, schedule, at)
    if state.status is Status.PAST_DUE and state.dunning is not None:
        return _next_failure(state, state.dunning, failed, schedule, at)
    return []


def _first_failure(
    state: Subscription, failed: Failed, schedule: RetrySchedule, at: datetime
) -> list[SubscriptionEvent]:
    if not failed.is_final and (not failed.is_retried or not schedule.days):
        return [_canceled(state, at)]
    return [
        SubscriptionBecamePastDue(
            subscription_id=state.id,
            invoice_id=failed.invoice_id,
            next_retry_at=None if failed.is_final else schedule.after(at, at),
            cancel_at=schedule.end(at) if failed.is_final else None,
            occurred_at=at,
        )
    ]


def _next_failure(
    state: Subscription, dunning: Dunning, failed: Failed, schedule: RetrySchedule, at: datetime
) -> list[SubscriptionEvent]:
    facts: list[SubscriptionEvent] = []
    if failed.invoice_id not in dunning.invoices:
        facts.append(
            SubscriptionFellFurtherBehind(
                subscription_id=state.id, invoice_id=failed.invoice_id, occurred_at=at
            )
        )
    if dunning.cancel_at is not None:
        return facts + _resumed(state, dunning, failed, schedule, at)
    if failed.is_final and at < schedule.end(dunning.begun_at):
        stop = SubscriptionRetriesStopped(
            subscription_id=state.id, cancel_at=schedule.end(dunning.begun_at), occurred_at=at
        )
        return [*facts, stop]
    if dunning.next_retry_at is None and failed.is_settled:
        return [*facts, _canceled(state, at)]
    return facts


def _resumed(
    state: Subscription, dunning: Dunning, failed: Failed, schedule: RetrySchedule, at: datetime
) -> list[SubscriptionEvent]:
    """Retries had stopped; a method that may work later sets them going again."""
    next_retry_at = schedule.after(dunning.begun_at, at)
    if failed.is_final or not failed.is_retried or next_retry_at is None:
        return []
    return [
        SubscriptionRetriesResumed(
            subscription_id=state.id, next_retry_at=next_retry_at, occurred_at=at
        )
    ]


def retry(
    state: Subscription, *, schedule: RetrySchedule, at: datetime
) -> list[SubscriptionPaymentRetried]:
    """A retry is due; those missed during a standstill are made up for by this one."""
    dunning = state.dunning
    if dunning is None or dunning.next_retry_at is None or at < dunning.next_retry_at:
        return []
    return [
        SubscriptionPaymentRetried(
            subscription_id=state.id,
            number=schedule.number(dunning.begun_at, at),
            next_retry_at=schedule.after(dunning.begun_at, at),
            occurred_at=at,
        )
    ]


def give_up(state: Subscription, *, at: datetime) -> list[SubscriptionCanceled]:
    """No new payment method came: the provider's refusal ends the subscription."""
    dunning = state.dunning
    if dunning is None or dunning.cancel_at is None or at < dunning.cancel_at:
        return []
    return [_canceled(state, at)]


def give_up_after_last_retry(state: Subscription, *, at: datetime) -> list[SubscriptionCanceled]:
    """The last retry had no method to charge."""
    dunning = state.dunning
    if dunning is None or dunning.next_retry_at is not None or dunning.cancel_at is not None:
        return []
    return [_canceled(state, at)]


def recover(state: Subscription, *, at: datetime) -> list[SubscriptionRecovered]:
    """Everything overdue is paid."""
    if state.status is not Status.PAST_DUE:
        return []
    return [SubscriptionRecovered(subscription_id=state.id, occurred_at=at)]


def _canceled(state: Subscription, at: datetime) -> SubscriptionCanceled:
    return SubscriptionCanceled(
        subscription_id=state.id,
        ended_at=at,
        requested_at=at,
        initiator=Initiator.PROVIDER,
        feedback=None,
        comment=None,
        occurred_at=at,
    )
