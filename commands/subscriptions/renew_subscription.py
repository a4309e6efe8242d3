"""A period of a subscription is over: the next one begins and is invoiced."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from commands.billing.account import account_instant, load_subscription
from commands.billing.renewing import renew_once
from commands.bus import handles
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class RenewSubscription:
    """The renewal for the period that starts at ``period_start``: it happens once."""

    subscription_id: UUID
    period_start: datetime


@handles(RenewSubscription)
async def renew_subscription(work: UnitOfWork, command: RenewSubscription) -> None:
    """Nothing happens when that period is not the next one or has not come."""
    state, account = await load_subscription(work, command.subscription_id)
    if state.period is None or state.period.end != command.period_start:
        return
    at = await account_instant(work, account)
    await renew_once(work, account, state.id, at=at)
