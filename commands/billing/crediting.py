"""Credits the unused rest of a paid period when a subscription ends early (design 7, 13)."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from aggregates.invoice.events import Status as InvoiceStatus
from aggregates.invoice.state import INVOICE
from aggregates.subscription.events import Status
from aggregates.subscription.offs import offs_for
from aggregates.subscription.state import Subscription
from commands.billing.invoicing import Bill, credit
from commands.billing.meeting_debts import reduce_debts
from commands.billing.prorating import Rest, Worth, unused_lines
from commands.billing.sources import Sources, load_sources, mark_credited, within
from commands.unit_of_work import UnitOfWork
from kernel.lines import InvoiceLine, LineOrigin


async def credit_unused_time(
    work: UnitOfWork, state: Subscription, *, last: UUID | None, at: datetime
) -> None:
    """To the second; nothing for a trial or a period that was not paid.

    What a change of the period left unpaid is met first, the rest goes to the balance. Paused time
    is not part of the period, and what was refunded of it is not credited again. ``last`` is the
    invoice that settled what was deferred.
    """
    if state.contract is None or state.period is None or not await _is_paid(work, state, at):
        return
    sources = await load_sources(work, state, last=last)
    bill = Bill(
        subscription_id=state.id,
        customer=state.customer,
        contract=state.contract,
        contract_version=state.contract_version,
        period=state.period,
        carried=_unused(state, sources, at),
        is_whole=False,
        beside=(last,) if last else (),
    )
    bill, back = await within(work, bill, sources)
    if not bill.carried:
        return
    note = await credit(work, bill, at=at)
    await mark_credited(work, sources, back, credit_id=note.invoice_id, at=at)
    await reduce_debts(work, state, -note.totals.total, last=last, at=at)


async def _is_paid(work: UnitOfWork, state: Subscription, at: datetime) -> bool:
    if state.status is Status.TRIALING or state.invoice_id is None or state.period is None:
        return False
    if not state.period.contains(state.counted(at)):
        return False
    return (await work.load(INVOICE, state.invoice_id)).status is InvoiceStatus.PAID


def _unused(state: Subscription, sources: Sources, at: datetime) -> tuple[InvoiceLine, ...]:
    if state.billed is None or state.period is None:
        return ()
    worth = Worth(
        contract=state.billed,
        origin=LineOrigin(state.id, state.billed_version),
        offs=offs_for(state, state.counted(at)),
        parts=sources.parts(line.feature for line in state.billed.terms.lines),
    )
    rest = Rest(period=state.period, at=state.counted(at), pauses=state.pauses)
    return unused_lines(worth, rest)
