"""Decisions about a customer's balance (design 7)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from aggregates.balance.events import BalanceChanged, BalanceReason
from aggregates.balance.state import Balance
from kernel.errors import Invalid
from kernel.money import MAX_UNITS, Money


class BalanceOutOfRange(Invalid):
    """The balance would be out of range."""

    code = "balance_out_of_range"


def adjust(
    state: Balance, amount: Money, *, customer: UUID, note: str, at: datetime
) -> list[BalanceChanged]:
    """Change the balance by hand, for a reason that the entry keeps (design 13)."""
    if abs(state.units + amount.units) >= MAX_UNITS:
        raise BalanceOutOfRange
    reason = BalanceReason.ADJUSTMENT
    facts = change(state, amount, customer=customer, reason=reason, invoice_id=None, at=at)
    return [replace(fact, note=note) for fact in facts]


def change(
    state: Balance,
    amount: Money,
    *,
    customer: UUID,
    reason: BalanceReason,
    invoice_id: UUID | None,
    at: datetime,
) -> list[BalanceChanged]:
    """Move the balance by ``amount`` (negative: credit); moving it by nothing records nothing."""
    if amount.units == 0:
        return []
    return [
        BalanceChanged(
            customer=customer,
            amount=amount,
            balance=Money(state.units + amount.units, amount.currency),
            reason=reason,
            invoice_id=invoice_id,
            occurred_at=at,
        )
    ]
