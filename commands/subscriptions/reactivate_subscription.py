"""Take a scheduled cancellation back (design 13)."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.subscription import ending
from commands.billing.account import account_instant, load_subscription
from commands.bus import handles
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactivateSubscription:
    """Go on as if it had never been canceled."""

    subscription_id: UUID


@handles(ReactivateSubscription)
async def reactivate_subscription(work: UnitOfWork, command: ReactivateSubscription) -> UUID:
    """Raises SubscriptionNotFound, SubscriptionAlreadyEnded, NotScheduledToCancel."""
    state, account = await load_subscription(work, command.subscription_id)
    at = await account_instant(work, account)
    work.record(state.id, ending.reactivate(state, at=at))
    return state.id
