"""A trial is over: the first paid period begins and is invoiced."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.subscription import decide
from commands.billing.account import account_instant, load_subscription
from commands.billing.collecting import collect
from commands.billing.invoicing import Bill, issue, prepare
from commands.billing.renewing import catch_up
from commands.bus import handles
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class EndTrial:
    """Due at the end of the trial."""

    subscription_id: UUID


@handles(EndTrial)
async def end_trial(work: UnitOfWork, command: EndTrial) -> None:
    """Convert it once; periods that were missed since follow in order."""
    state, account = await load_subscription(work, command.subscription_id)
    at = await account_instant(work, account)
    period = decide.trial_due(state, at=at)
    if period is None or state.contract is None:
        return
    bill = Bill(
        subscription_id=state.id,
        customer=account.id,
        contract=state.contract,
        contract_version=state.contract_version,
        period=period,
    )
    draft = await prepare(work, bill)
    work.record(state.id, decide.convert_trial(state, invoice_id=draft.invoice_id, at=at))
    await issue(work, bill, draft, at=at)
    await collect(work, account, state.id, draft.invoice_id, at=at)
    await catch_up(work, account, state.id, at=at)
