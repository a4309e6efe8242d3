"""The provider took the money: invoice, order and subscription move on together."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from aggregates.invoice import decide as invoices
from aggregates.invoice.state import INVOICE
from aggregates.order import decide as orders
from aggregates.order.state import ORDER
from aggregates.subscription import decide, dunning
from aggregates.subscription.events import Status
from aggregates.subscription.state import SUBSCRIPTION, Subscription
from commands.billing.changing import keep_end, keep_portfolio
from commands.billing.collecting import close, leave_portfolio
from commands.billing.licensing import issue_license
from commands.billing.meeting_debts import credit_payment
from commands.billing.pending_changes import complete_change, waits_for
from commands.billing.renewing import catch_up
from commands.bus import handles
from commands.checkout import outcomes
from commands.invoices.outcome import Attempt, load_attempt, ordered
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordPaymentSucceeded:
    """``payment_id`` is the provider's name; ``caused_at`` when the attempt began."""

    invoice_id: UUID
    attempt: int
    payment_id: str
    international: bool
    caused_at: datetime


@handles(RecordPaymentSucceeded)
async def record_payment_succeeded(work: UnitOfWork, command: RecordPaymentSucceeded) -> None:
    """Record it once; a subscription that has ended is not revived (design 8)."""
    attempt = await load_attempt(work, command.invoice_id, command.attempt)
    if attempt is None:
        return
    at = attempt.instant(work, command.caused_at)
    invoice = await work.load(INVOICE, command.invoice_id)
    if attempt.subscription.checkout is not None:
        await outcomes.paid(work, attempt.subscription.checkout, attempt, at=at)
    paid = invoices.record_paid(
        invoice,
        command.attempt,
        payment_id=command.payment_id,
        international=command.international,
        at=at,
    )
    work.record(command.invoice_id, paid)
    await _complete_order(work, attempt, command.payment_id, at)
    if command.invoice_id in attempt.subscription.dropped:
        for fact in paid:
            await credit_payment(work, attempt.account.id, fact)
        return
    await _go_on(work, attempt, at)
    await issue_license(work, ordered(attempt.invoice)[0], at=at)


async def _complete_order(
    work: UnitOfWork, attempt: Attempt, payment_id: str, at: datetime
) -> None:
    order_id, _ = ordered(attempt.invoice)
    order = await work.load(ORDER, order_id)
    method = attempt.started.method
    work.record(order_id, orders.complete(order, method=method, payment_id=payment_id, at=at))


async def _go_on(work: UnitOfWork, attempt: Attempt, at: datetime) -> None:
    state = attempt.subscription
    if waits_for(state, attempt.invoice.invoice_id):
        await complete_change(work, state, at=at)
        await keep_portfolio(work, state.id, at=at)
        await keep_end(work, state.id, at=at)
    if state.status is Status.INCOMPLETE:
        facts = decide.activate(
            state,
            invoice_id=attempt.invoice.invoice_id,
            paid_from=attempt.started.occurred_at,
            at=at,
        )
        work.record(state.id, facts)
        now = await work.load(SUBSCRIPTION, state.id)
        if now.period is None:
            await leave_portfolio(work, now, at=at)
        await catch_up(work, attempt.account, state.id, at=at)
    elif state.status is Status.PAST_DUE:
        await _catch_up_with_debts(work, state, at)


async def _catch_up_with_debts(work: UnitOfWork, state: Subscription, at: datetime) -> None:
    """Recovered when all is paid; over when this was the last of a last try that left debts."""
    overdue = state.dunning.invoices if state.dunning else ()
    states = [await work.load(INVOICE, invoice_id) for invoice_id in overdue]
    if not any(invoice.is_open for invoice in states):
        work.record(state.id, dunning.recover(state, at=at))
        await keep_portfolio(work, state.id, at=at)
    elif all(invoice.in_flight is None for invoice in states):
        ended = dunning.give_up_after_last_retry(state, at=at)
        work.record(state.id, ended)
        if ended:
            await close(work, state, at=at)
