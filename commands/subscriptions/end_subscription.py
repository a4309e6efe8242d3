"""The scheduled end of a subscription has come."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.subscription import ending
from commands.billing.account import account_instant, load_subscription
from commands.billing.collecting import close
from commands.bus import handles
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class EndSubscription:
    """Due at the ``ends_at`` of a scheduled cancellation."""

    subscription_id: UUID


@handles(EndSubscription)
async def end_subscription(work: UnitOfWork, command: EndSubscription) -> None:
    """End it once; early or withdrawn, nothing happens."""
    state, account = await load_subscription(work, command.subscription_id)
    at = await account_instant(work, account)
    facts = ending.end(state, at=at)
    work.record(state.id, facts)
    if facts:
        await close(work, state, at=at)
