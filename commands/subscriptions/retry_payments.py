"""Try again to collect what a subscription owes (design 8)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from aggregates.subscription import dunning
from aggregates.subscription.state import SUBSCRIPTION, Subscription
from commands.billing.account import Account, account_instant, load_subscription
from commands.billing.collecting import announce, attempt, settle_dunning
from commands.bus import handles
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPayments:
    """Due at the ``next_retry_at`` of a subscription that is past due."""

    subscription_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveUpCollection:
    """Due at the ``cancel_at`` of a subscription whose retries have stopped."""

    subscription_id: UUID


@handles(RetryPayments)
async def retry_payments(work: UnitOfWork, command: RetryPayments) -> None:
    """Begin an attempt for every overdue invoice, oldest first; once per retry of the schedule."""
    state, account = await load_subscription(work, command.subscription_id)
    at = await account_instant(work, account)
    facts = dunning.retry(state, schedule=account.schedule, at=at)
    work.record(state.id, facts)
    if facts:
        await _try_all(work, account, state, at)


@handles(GiveUpCollection)
async def give_up_collection(work: UnitOfWork, command: GiveUpCollection) -> None:
    """No new card came: the subscription ends."""
    state, account = await load_subscription(work, command.subscription_id)
    at = await account_instant(work, account)
    await settle_dunning(work, state, list(dunning.give_up(state, at=at)), at=at)


async def _try_all(work: UnitOfWork, account: Account, before: Subscription, at: datetime) -> None:
    state = await work.load(SUBSCRIPTION, before.id)
    method = account.method_for(state)
    tried = False
    for invoice_id in state.dunning.invoices if state.dunning else ():
        if method is not None:
            tried = await attempt(work, invoice_id, method, at=at) or tried
    if method is None:
        lost = dunning.give_up_after_last_retry(state, at=at)
        await settle_dunning(work, state, list(lost), at=at)
    if not tried:
        await announce(work, await work.load(SUBSCRIPTION, before.id), at=at)
