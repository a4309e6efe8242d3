"""Bills the periods of a running subscription that have begun, in order, each once."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from aggregates.subscription import changing, decide
from aggregates.subscription.state import SUBSCRIPTION
from commands.billing.account import Account
from commands.billing.collecting import collect, collect_or_credit
from commands.billing.invoicing import Bill, issue, prepare
from commands.billing.licensing import has_ordered
from commands.billing.pending_changes import drop_change
from commands.billing.sources import Sources, load_sources, mark_credited, within
from commands.unit_of_work import UnitOfWork


MOST_AT_ONCE = 24
"""Periods made up for in one append; timers see to the rest."""


async def renew_once(
    work: UnitOfWork, account: Account, subscription_id: UUID, *, at: datetime
) -> bool:
    """Begin the next period if it is due; whether it was.

    A change that waits never holds beyond the period, also when its payment is still under way.
    """
    state = await work.load(SUBSCRIPTION, subscription_id)
    due = decide.renewal_due(state, at=at)
    if due is None or state.contract is None:
        return False
    contract = state.contract
    if await drop_change(work, subscription_id, at=at, is_final=True):
        state = await work.load(SUBSCRIPTION, subscription_id)
    bill = Bill(
        subscription_id=subscription_id,
        customer=account.id,
        contract=contract,
        contract_version=state.contract_version,
        period=due[1],
        is_renewal=True,
        carried=state.deferred,
        is_first=not has_ordered(state),
        spares_balance=state.own_card is not None,
    )
    sources = await load_sources(work, state) if state.deferred else Sources(invoices=())
    bill, back = await within(work, bill, sources)
    draft = await prepare(work, bill)
    work.record(subscription_id, decide.renew(state, invoice_id=draft.invoice_id, at=at))
    await issue(work, bill, draft, at=at)
    await mark_credited(work, sources, back, credit_id=draft.invoice_id, at=at)
    await collect_or_credit(work, account, state, draft, at=at)
    return True


async def convert_trial(
    work: UnitOfWork,
    account: Account,
    subscription_id: UUID,
    *,
    at: datetime,
    is_early: bool = False,
) -> None:
    """Begin and invoice the first paid period if the trial is over, or is to be over now."""
    state = await work.load(SUBSCRIPTION, subscription_id)
    period = changing.period_after_trial(state, at=at) if is_early else None
    period = period or decide.trial_due(state, at=at)
    if period is None or state.contract is None:
        return
    bill = Bill(
        subscription_id=state.id,
        customer=account.id,
        contract=state.contract,
        contract_version=state.contract_version,
        period=period,
        spares_balance=state.own_card is not None,
    )
    draft = await prepare(work, bill)
    work.record(state.id, decide.convert_trial(state, period, invoice_id=draft.invoice_id, at=at))
    await issue(work, bill, draft, at=at)
    await collect(work, account, state.id, draft.invoice_id, at=at)


async def catch_up(
    work: UnitOfWork, account: Account, subscription_id: UUID, *, at: datetime
) -> None:
    """Bill the periods that began before now."""
    for _ in range(MOST_AT_ONCE):
        if not await renew_once(work, account, subscription_id, at=at):
            return
