"""A trial is over: the first paid period begins and is invoiced."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from commands.billing.account import account_instant, load_subscription
from commands.billing.renewing import convert_trial
from commands.bus import handles
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class EndTrial:
    """Due at the end of the trial."""

    subscription_id: UUID


@handles(EndTrial)
async def end_trial(work: UnitOfWork, command: EndTrial) -> None:
    """Convert it once; periods that were missed since are renewals of their own, one by one."""
    state, account = await load_subscription(work, command.subscription_id)
    at = await account_instant(work, account)
    await convert_trial(work, account, state.id, at=at)
