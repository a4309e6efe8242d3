"""Credits the unused rest of a paid period when a subscription ends early (design 7, 13)."""

from __future__ import annotations

from datetime import datetime

from aggregates.invoice.events import Status as InvoiceStatus
from aggregates.invoice.state import INVOICE
from aggregates.subscription.events import Status
from aggregates.subscription.state import Subscription, offs_for
from commands.billing.invoicing import Bill, credit
from commands.billing.prorating import Rest, Worth, unused_lines
from commands.unit_of_work import UnitOfWork
from kernel.lines import LineOrigin


async def credit_unused_time(work: UnitOfWork, state: Subscription, *, at: datetime) -> None:
    """To the balance, to the second; nothing for a trial or a period that was not paid.

    Paused time is not part of the period.
    """
    period, invoice_id = state.period, state.invoice_id
    at_used = state.counted(at)
    if state.contract is None or state.billed is None or period is None or invoice_id is None:
        return
    if state.status is Status.TRIALING or not period.contains(at_used):
        return
    invoice = await work.load(INVOICE, invoice_id)
    if invoice.status is not InvoiceStatus.PAID:
        return
    bill = Bill(
        subscription_id=state.id,
        customer=state.customer,
        contract=state.contract,
        contract_version=state.contract_version,
        period=period,
    )
    worth = Worth(
        contract=state.billed,
        origin=LineOrigin(state.id, state.billed_version),
        offs=offs_for(state, at_used),
        tax=invoice.tax,
    )
    lines = unused_lines(worth, Rest(period=period, at=at_used, pauses=state.pauses))
    if lines:
        await credit(work, bill, lines, at=at)
