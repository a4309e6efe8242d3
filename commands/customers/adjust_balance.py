"""Change a customer's balance by hand (design 13)."""

from __future__ import annotations

from dataclasses import dataclass

from aggregates.balance import decide
from aggregates.balance.state import BALANCE, balance_id
from aggregates.customer.decide import require
from aggregates.customer.state import CUSTOMER
from commands.bus import handles
from commands.time import instant_for
from commands.unit_of_work import UnitOfWork
from kernel.money import Money


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustBalance:
    """Negative gives the customer credit; ``reason`` is kept with the entry."""

    customer_id: str
    amount: Money
    reason: str


@handles(AdjustBalance)
async def adjust_balance(work: UnitOfWork, command: AdjustBalance) -> None:
    """Raises CustomerNotFound, BalanceOutOfRange."""
    customer = work.natural_id("customer", command.customer_id)
    state = await work.load(CUSTOMER, customer)
    require(state)
    stream = balance_id(customer, command.amount.currency)
    balance = await work.load(BALANCE, stream)
    at = await instant_for(work, state)
    facts = decide.adjust(balance, command.amount, customer=customer, note=command.reason, at=at)
    work.record(stream, facts, owner=customer)
