"""Let a subscription stand still for a while, and go on again (design 13)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from aggregates.subscription import pausing
from aggregates.subscription.state import SUBSCRIPTION
from commands.billing.account import account_instant, load_subscription
from commands.billing.resuming import bring_up_to_date, go_on
from commands.bus import handles
from commands.unit_of_work import UnitOfWork
from kernel.errors import InvalidFields
from kernel.interval import add_months


@dataclass(frozen=True, slots=True, kw_only=True)
class PauseSubscription:
    """For whole ``months`` from now, or until ``resumes_at``; exactly one of them is set."""

    subscription_id: UUID
    months: int | None = None
    resumes_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumeSubscription:
    """Go on before the pause is over."""

    subscription_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class EndPause:
    """Due at the ``resumes_at`` of a pause."""

    subscription_id: UUID


@handles(PauseSubscription)
async def pause_subscription(work: UnitOfWork, command: PauseSubscription) -> UUID:
    """Raises what ``pausing.pause`` raises. What timers are late with comes first."""
    _, account = await load_subscription(work, command.subscription_id)
    at = await account_instant(work, account)
    until = command.resumes_at
    if command.months is not None:
        until = add_months(at, command.months)
    if until is None:
        raise InvalidFields({"pauseMonths": ["Give pauseMonths or resumesAt."]})
    await bring_up_to_date(work, account, command.subscription_id, at=at)
    state = await work.load(SUBSCRIPTION, command.subscription_id)
    work.record(state.id, pausing.pause(state, resumes_at=until, at=at))
    return state.id


@handles(ResumeSubscription)
async def resume_subscription(work: UnitOfWork, command: ResumeSubscription) -> UUID:
    """Raises SubscriptionNotFound, SubscriptionAlreadyEnded, NotPaused."""
    state, account = await load_subscription(work, command.subscription_id)
    at = await account_instant(work, account)
    await go_on(work, account, pausing.resume(state, at=at), at=at)
    return state.id


@handles(EndPause)
async def end_pause(work: UnitOfWork, command: EndPause) -> None:
    """Resume it once; periods that were missed since are renewals of their own."""
    state, account = await load_subscription(work, command.subscription_id)
    at = await account_instant(work, account)
    await go_on(work, account, pausing.end_pause(state, at=at), at=at)
