"""A trial ends in a few days: say so once."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.subscription import decide
from commands.billing.account import account_instant, load_subscription
from commands.bus import handles
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class RemindOfTrialEnd:
    """Due three days before the end of a trial (``decide.REMIND_BEFORE``)."""

    subscription_id: UUID


@handles(RemindOfTrialEnd)
async def remind_of_trial_end(work: UnitOfWork, command: RemindOfTrialEnd) -> None:
    """Nothing happens when it is too early, too late, or was said."""
    state, account = await load_subscription(work, command.subscription_id)
    at = await account_instant(work, account)
    work.record(state.id, decide.remind_of_trial_end(state, at=at))
