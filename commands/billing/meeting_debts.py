"""Lets a customer's credit meet what is owed, and takes it back again (design 7, case 41)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from aggregates.balance import decide as balances
from aggregates.balance.events import BalanceReason
from aggregates.balance.state import BALANCE, balance_id
from aggregates.invoice import crediting
from aggregates.invoice.events import InvoiceBalanceApplied, InvoicePaid, Status
from aggregates.invoice.state import INVOICE
from aggregates.order import decide as orders
from aggregates.order.state import ORDER
from aggregates.subscription import dunning
from aggregates.subscription.events import Status as SubscriptionStatus
from aggregates.subscription.state import SUBSCRIPTION, Subscription
from commands.billing.account import load_balance
from commands.unit_of_work import UnitOfWork
from kernel.money import Money


async def reduce_debts(
    work: UnitOfWork,
    state: Subscription,
    credit: Money,
    *,
    last: UUID | None = None,
    at: datetime,
) -> None:
    """Take a credit that was just given off the open invoices of the subscription.

    That of the present period comes first, the ``last`` at its end comes last. What is
    being charged at this moment is left alone.
    """
    left = credit
    for invoice_id in _owed(state, last):
        balance = await load_balance(work, state.customer, credit.currency)
        facts = crediting.apply_credit(
            await work.load(INVOICE, invoice_id),
            balance=balance.money(credit.currency),
            most=left,
            minimum=work.tenant.payments.minimum(credit.currency),
            at=at,
        )
        await _record(work, state.customer, invoice_id, facts, at)
        left = Money(left.units - sum(fact.amount.units for fact in facts), left.currency)
        if left.units <= 0:
            return


async def give_credit_back(
    work: UnitOfWork, customer: UUID, invoice_id: UUID, *, at: datetime
) -> None:
    """Return what an invoice took from the balance that nobody will collect any more."""
    invoice = await work.load(INVOICE, invoice_id)
    if invoice.created is None:
        return
    currency = invoice.created.totals.total.currency
    balance = await load_balance(work, customer, currency)
    facts = crediting.give_credit_back(invoice, balance=balance.money(currency), at=at)
    await _record(work, customer, invoice_id, facts, at)


async def recover_when_paid(work: UnitOfWork, subscription_id: UUID, *, at: datetime) -> None:
    """What owes nothing any more is not past due any more."""
    state = await work.load(SUBSCRIPTION, subscription_id)
    overdue = state.dunning.invoices if state.dunning else ()
    states = [await work.load(INVOICE, invoice_id) for invoice_id in overdue]
    if state.status is SubscriptionStatus.PAST_DUE and not any(each.is_open for each in states):
        work.record(state.id, dunning.recover(state, at=at))


async def credit_payment(work: UnitOfWork, customer: UUID, paid: InvoicePaid) -> None:
    """Keep what was paid for nothing as the customer's credit."""
    stream = balance_id(customer, paid.amount.currency)
    moved = balances.change(
        await load_balance(work, customer, paid.amount.currency),
        -paid.amount,
        customer=customer,
        reason=BalanceReason.CREDIT_NOTE,
        invoice_id=paid.invoice_id,
        at=paid.occurred_at,
    )
    work.record(stream, moved, owner=customer)


def _owed(state: Subscription, last: UUID | None) -> Iterable[UUID]:
    overdue = state.dunning.invoices if state.dunning else ()
    present = () if state.invoice_id is None else (state.invoice_id,)
    return dict.fromkeys((*present, *overdue, *((last,) if last else ())))


async def _record(
    work: UnitOfWork,
    customer: UUID,
    invoice_id: UUID,
    facts: list[InvoiceBalanceApplied],
    at: datetime,
) -> None:
    work.record(invoice_id, facts)
    for fact in facts:
        stream = balance_id(customer, fact.amount.currency)
        moved = balances.change(
            await work.load(BALANCE, stream),
            fact.amount,
            customer=customer,
            reason=BalanceReason.APPLIED_TO_INVOICE,
            invoice_id=invoice_id,
            at=at,
        )
        work.record(stream, moved, owner=customer)
        if fact.status is Status.PAID:
            await _drop_order(work, invoice_id, at)


async def _drop_order(work: UnitOfWork, invoice_id: UUID, at: datetime) -> None:
    """Nothing of the invoice is left to pay: what was ordered was given back."""
    invoice = await work.load(INVOICE, invoice_id)
    if invoice.created is None or invoice.created.order_id is None:
        return
    order_id = invoice.created.order_id
    order = await work.load(ORDER, order_id)
    work.record(order_id, orders.give_up(order, reason="It was credited in full.", at=at))
