"""Credits the unused rest of a paid period when a subscription ends early (design 7, 13)."""

from __future__ import annotations

from datetime import datetime
from fractions import Fraction

from aggregates.invoice.events import Status as InvoiceStatus
from aggregates.invoice.state import INVOICE, Invoice
from aggregates.order import refunding
from aggregates.order.state import ORDER
from aggregates.subscription.events import Status
from aggregates.subscription.offs import offs_for
from aggregates.subscription.state import Subscription
from commands.billing.invoicing import Bill, credit
from commands.billing.prorating import Rest, Worth, unused_lines
from commands.unit_of_work import UnitOfWork
from kernel.lines import LineOrigin


async def credit_unused_time(work: UnitOfWork, state: Subscription, *, at: datetime) -> None:
    """To the balance, to the second; nothing for a trial or a period that was not paid.

    Paused time is not part of the period, and what was refunded of it is not credited again.
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
        kept=await _kept(work, invoice),
    )
    lines = unused_lines(worth, Rest(period=period, at=at_used, pauses=state.pauses))
    if lines:
        await credit(work, bill, lines, at=at)


async def _kept(work: UnitOfWork, invoice: Invoice) -> Fraction:
    """The part of an invoice that was not given back."""
    if invoice.created is None or invoice.created.order_id is None:
        return Fraction(1)
    return refunding.kept(await work.load(ORDER, invoice.created.order_id))
