"""End a subscription now or later (wire 6.5)."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.subscription import ending
from aggregates.subscription.ending import Cancellation
from aggregates.subscription.events import CancellationType, Status
from aggregates.subscription.state import SUBSCRIPTION
from commands.billing.account import account_instant, load_subscription
from commands.billing.collecting import close
from commands.billing.resuming import bring_up_to_date
from commands.bus import handles
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelSubscription:
    """Who wants it, when and why is in ``wish``.

    ``credit_unused_time`` gives back the rest of a paid period; with IMMEDIATE only.
    """

    subscription_id: UUID
    wish: Cancellation
    credit_unused_time: bool = False


@handles(CancelSubscription)
async def cancel_subscription(work: UnitOfWork, command: CancelSubscription) -> UUID:
    """What timers are late with comes first: a period that has begun is billed.

    Raises SubscriptionNotFound, SubscriptionAlreadyEnded, NothingToCancel, InvalidFields.
    """
    state, account = await load_subscription(work, command.subscription_id)
    at = await account_instant(work, account)
    await bring_up_to_date(work, account, state.id, at=at)
    state = await work.load(SUBSCRIPTION, state.id)
    work.record(state.id, ending.cancel(state, command.wish, at=at))
    now = await work.load(SUBSCRIPTION, state.id)
    if now.status is Status.CANCELED:
        is_immediate = command.wish.type is CancellationType.IMMEDIATE
        credits_rest = command.credit_unused_time and is_immediate
        await close(work, state, at=at, credits_rest=credits_rest)
    return state.id
