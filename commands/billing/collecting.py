"""Begins attempts to collect, and says what a failure means for the subscription."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from aggregates.invoice import decide as invoices
from aggregates.invoice.decide import Draft
from aggregates.invoice.state import INVOICE
from aggregates.order import decide as orders
from aggregates.order.state import ORDER
from aggregates.payment_method.state import SavedMethod
from aggregates.portfolio.events import PortfolioSubscriptionClosed
from aggregates.portfolio.state import PORTFOLIO, portfolio_id
from aggregates.subscription import changing, dunning
from aggregates.subscription.decide import is_tried_once
from aggregates.subscription.dunning import Failed
from aggregates.subscription.events import Status, SubscriptionEvent
from aggregates.subscription.state import SUBSCRIPTION, Subscription
from commands.billing.account import Account, load_account
from commands.billing.crediting import credit_unused_time
from commands.billing.deferring import bill_deferred
from commands.billing.invoicing import invoice_of
from commands.billing.meeting_debts import recover_when_paid, reduce_debts
from commands.billing.pending_changes import leave_nothing_behind
from commands.billing.withdrawing import release_discounts, withdraw
from commands.unit_of_work import UnitOfWork
from kernel.ids import derived_id
from kernel.sale import MethodWords


async def attempt(work: UnitOfWork, invoice_id: UUID, method: SavedMethod, *, at: datetime) -> bool:
    """Begin an attempt; whether there was anything to try."""
    invoice = await work.load(INVOICE, invoice_id)
    facts = invoices.start_payment(
        invoice,
        MethodWords.of(method.id, method.instrument),
        reference=method.reference,
        off_session=True,
        at=at,
    )
    work.record(invoice_id, facts)
    return bool(facts)


async def collect(
    work: UnitOfWork, account: Account, subscription_id: UUID, invoice_id: UUID, *, at: datetime
) -> None:
    """Collect a new invoice of a running subscription, in turn if others are overdue.

    Without a method it counts as a hard decline (design 13).
    """
    state = await work.load(SUBSCRIPTION, subscription_id)
    invoice = await work.load(INVOICE, invoice_id)
    if not invoice.is_open:
        return
    if state.dunning is not None and invoice_id in state.dunning.invoices:
        await announce(work, state, at=at)
        return
    method = account.method_for(state)
    if method is not None:
        await attempt(work, invoice_id, method, at=at)
        return
    await fail_without_method(work, account, subscription_id, invoice_id, at=at)


async def collect_or_credit(
    work: UnitOfWork, account: Account, before: Subscription, draft: Draft, *, at: datetime
) -> None:
    """Collect what was just invoiced; a credit takes off what is owed (design 7)."""
    credit = -draft.totals.total
    if credit.units > 0:
        await reduce_debts(work, before, credit, at=at)
        await recover_when_paid(work, before.id, at=at)
    else:
        await collect(work, account, before.id, draft.invoice_id, at=at)


async def fail_without_method(
    work: UnitOfWork, account: Account, subscription_id: UUID, invoice_id: UUID, *, at: datetime
) -> None:
    """Nothing can be charged: no tries, the end comes unless a card does."""
    invoice = await work.load(INVOICE, invoice_id)
    facts = invoices.record_no_method(invoice, at=at)
    work.record(invoice_id, facts)
    for fact in facts:
        await fail_order(work, invoice_id, fact.failure.code, fact.failure.message, None, at=at)
    failed = Failed(invoice_id=invoice_id, is_final=True, is_retried=True)
    state = await work.load(SUBSCRIPTION, subscription_id)
    await settle_dunning(
        work, state, dunning.fall_behind(state, failed, schedule=account.schedule, at=at), at=at
    )


async def settle_dunning(
    work: UnitOfWork, state: Subscription, facts: list[SubscriptionEvent], *, at: datetime
) -> None:
    """Record what became of the subscription, and tell its overdue invoices."""
    work.record(state.id, facts)
    now = await work.load(SUBSCRIPTION, state.id)
    if now.status is Status.CANCELED:
        await close(work, state, at=at)
    elif facts:
        await announce(work, now, at=at)


async def announce(work: UnitOfWork, state: Subscription, *, at: datetime) -> None:
    """Write the next retry into every overdue invoice."""
    if state.dunning is None:
        return
    for invoice_id in state.dunning.invoices:
        invoice = await work.load(INVOICE, invoice_id)
        work.record(
            invoice_id, invoices.schedule_retry(invoice, state.dunning.next_retry_at, at=at)
        )


async def close(
    work: UnitOfWork, before: Subscription, *, at: datetime, credits_rest: bool = False
) -> None:
    """After the end: out of the portfolio, no more tries; invoices stay payable (design 8).

    What never began leaves no order behind, and the invoice of a charge is not payable later.
    What was deferred is settled by a last invoice. ``credits_rest``: the unused rest is credited;
    that takes off what is owed, the last invoice included, before anything is charged.
    """
    await leave_portfolio(work, before, at=at)
    work.record(before.id, changing.expire_change(before, at=at, is_final=True))
    await leave_nothing_behind(work, before, at=at)
    if before.status is Status.INCOMPLETE:
        first = invoice_of(before.id, before.period)
        order_id = derived_id(first, "order")
        order = await work.load(ORDER, order_id)
        work.record(
            order_id, orders.give_up(order, reason="The first invoice was not paid.", at=at)
        )
        if is_tried_once(before):
            await withdraw(work, first, at=at)
            await release_discounts(work, before, at=at)
    for invoice_id in before.dunning.invoices if before.dunning else ():
        invoice = await work.load(INVOICE, invoice_id)
        work.record(invoice_id, invoices.schedule_retry(invoice, None, at=at))
    last = await bill_deferred(work, before, at=at)
    if credits_rest:
        await credit_unused_time(work, before, last=last, at=at)
    if last is not None and before.dunning is None:
        await _collect_last(work, before, last, at)


async def _collect_last(
    work: UnitOfWork, before: Subscription, invoice_id: UUID, at: datetime
) -> None:
    """Try once to collect what was deferred; collection that just failed is not tried again."""
    account = await load_account(work, before.customer)
    method = account.method_for(before)
    if method is not None:
        await attempt(work, invoice_id, method, at=at)


async def leave_portfolio(work: UnitOfWork, state: Subscription, *, at: datetime) -> None:
    """Take a subscription off the list of those that have not ended."""
    stream = portfolio_id(state.customer)
    portfolio = await work.load(PORTFOLIO, stream)
    if state.id in portfolio.open:
        closed = PortfolioSubscriptionClosed(subscription_id=state.id, occurred_at=at)
        work.record(stream, [closed])


async def fail_order(
    work: UnitOfWork,
    invoice_id: UUID,
    code: str,
    message: str,
    method: MethodWords | None,
    *,
    at: datetime,
) -> None:
    """Write a failed payment into the order of an invoice."""
    invoice = await work.load(INVOICE, invoice_id)
    if invoice.created is None or invoice.created.order_id is None:
        return
    order_id = invoice.created.order_id
    order = await work.load(ORDER, order_id)
    work.record(
        order_id,
        orders.record_payment_failure(order, code=code, message=message, method=method, at=at),
    )
