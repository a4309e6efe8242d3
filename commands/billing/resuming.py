"""Lets a subscription go on after a pause, and does what fell due before a command about it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from aggregates.subscription import pausing
from aggregates.subscription.pauses import SubscriptionResumed
from aggregates.subscription.state import SUBSCRIPTION
from commands.billing.account import Account
from commands.billing.collecting import collect
from commands.billing.renewing import catch_up, convert_trial
from commands.unit_of_work import UnitOfWork


async def go_on(
    work: UnitOfWork, account: Account, facts: Iterable[SubscriptionResumed], *, at: datetime
) -> None:
    """Resume, and try again what could not be collected during the pause.

    Periods that were missed since are renewals of their own.
    """
    for fact in facts:
        work.record(fact.subscription_id, [fact])
        state = await work.load(SUBSCRIPTION, fact.subscription_id)
        for invoice_id in state.invoices:
            await collect(work, account, state.id, invoice_id, at=at)


async def bring_up_to_date(
    work: UnitOfWork, account: Account, subscription_id: UUID, *, at: datetime
) -> None:
    """Do what timers are late with, so that a decision does not depend on how late they are.

    The end of a pause, that of a trial, and the periods that have begun, as design 6 orders them.
    """
    state = await work.load(SUBSCRIPTION, subscription_id)
    if state.ending is not None and state.ending.ends_at <= at:
        return
    await go_on(work, account, pausing.end_pause(state, at=at), at=at)
    await convert_trial(work, account, subscription_id, at=at)
    await catch_up(work, account, subscription_id, at=at)
