"""Decisions about a customer's balance (design 7)."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from aggregates.balance.events import BalanceChanged, BalanceReason
from aggregates.balance.state import Balance
from kernel.money import Money


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
