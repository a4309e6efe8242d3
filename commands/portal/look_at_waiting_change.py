"""The change of a subscription that waits for its payment, for the portal."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.subscription.changes import SubscriptionChangeRequested
from aggregates.subscription.state import SUBSCRIPTION
from commands.bus import handles
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class LookAtWaitingChange:
    """To be run by ``Bus.preview`` alone."""

    subscription_id: UUID


@handles(LookAtWaitingChange)
async def look_at_waiting_change(
    work: UnitOfWork, command: LookAtWaitingChange
) -> SubscriptionChangeRequested | None:
    """None when nothing waits."""
    return (await work.load(SUBSCRIPTION, command.subscription_id)).pending
