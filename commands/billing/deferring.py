"""Deferred lines of a subscription that ends before its next invoice (design 7)."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from aggregates.subscription.state import SUBSCRIPTION, Subscription
from commands.billing.invoicing import Bill, issue, prepare
from commands.billing.meeting_debts import reduce_debts
from commands.billing.sources import load_sources, mark_credited, within
from commands.unit_of_work import UnitOfWork


async def bill_deferred(work: UnitOfWork, before: Subscription, *, at: datetime) -> UUID | None:
    """A debit becomes the last invoice, a credit goes to the balance; None: nothing waited."""
    if not before.deferred or before.contract is None:
        return None
    now = await work.load(SUBSCRIPTION, before.id)
    bill = Bill(
        subscription_id=before.id,
        customer=before.customer,
        contract=before.contract,
        contract_version=before.contract_version,
        period=before.period,
        carried=before.deferred,
        is_whole=False,
        change=now.version,
        spares_balance=before.own_card is not None,
    )
    sources = await load_sources(work, before)
    bill, back = await within(work, bill, sources)
    draft = await prepare(work, bill)
    await issue(work, bill, draft, at=at)
    await mark_credited(work, sources, back, credit_id=draft.invoice_id, at=at)
    if draft.totals.total.units < 0:
        await reduce_debts(work, before, -draft.totals.total, at=at)
    return draft.invoice_id
