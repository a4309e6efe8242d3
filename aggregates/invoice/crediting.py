"""Decisions about credit that meets an invoice which is owed already (design 7, case 41)."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from aggregates.invoice.events import (
    BalanceUse,
    InvoiceBalanceApplied,
    InvoiceCredited,
    Status,
)
from aggregates.invoice.state import Invoice
from kernel.money import Money


def apply_credit(
    state: Invoice, *, balance: Money, most: Money, minimum: Money, at: datetime
) -> list[InvoiceBalanceApplied]:
    """Take up to ``most`` of the customer's credit off what is owed, nothing while it is charged.

    What is left below the provider's ``minimum`` is not charged: it stays on the balance.
    """
    if state.created is None or not state.is_open or state.in_flight is not None:
        return []
    due = state.created.balance.due
    taken = min(most.units, -balance.units, due.units)
    if taken <= 0:
        return []
    if due.units - taken < minimum.units:
        taken = due.units
    return [_applied(state, Money(taken, due.currency), balance, at)]


def give_credit_back(
    state: Invoice, *, balance: Money, at: datetime
) -> list[InvoiceBalanceApplied]:
    """Return what an invoice did to the balance that will not be collected any more."""
    if state.created is None or not state.is_open or state.in_flight is not None:
        return []
    used = state.created.balance.applied
    return [_applied(state, -used, balance, at)] if used.units else []


def mark_credited(
    state: Invoice, units: int, *, credit_id: UUID | None, at: datetime
) -> list[InvoiceCredited]:
    """Say that a part of what was billed became credit: it is not refunded as well.

    Negative: that much less than was said before.
    """
    if state.created is None or not units:
        return []
    amount = Money(units, state.created.totals.total.currency)
    return [
        InvoiceCredited(
            invoice_id=state.created.invoice_id, credit_id=credit_id, amount=amount, occurred_at=at
        )
    ]


def _applied(state: Invoice, amount: Money, balance: Money, at: datetime) -> InvoiceBalanceApplied:
    if state.created is None:
        raise ValueError("an invoice that does not exist owes nothing")
    use = state.created.balance
    due = use.due - amount
    now = BalanceUse(
        starting=balance - use.applied,
        applied=use.applied + amount,
        ending=balance + amount,
        due=due,
    )
    return InvoiceBalanceApplied(
        invoice_id=state.created.invoice_id,
        amount=amount,
        balance=now,
        status=state.status if due.units else Status.PAID,
        occurred_at=at,
    )
