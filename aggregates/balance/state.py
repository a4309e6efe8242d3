"""The balance of one customer in one currency as its facts leave it."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.balance.events import BalanceChanged, BalanceEvent
from kernel.fold import Fold
from kernel.ids import derived_id
from kernel.money import Money


@dataclass(frozen=True, slots=True)
class Balance:
    """Minor units of the currency of the stream; negative is the customer's credit."""

    units: int = 0

    def money(self, currency: str) -> Money:
        """The balance as an amount."""
        return Money(self.units, currency)


def evolve(state: Balance, event: BalanceEvent) -> Balance:
    """Total and free of rules: what is recorded is true."""
    del state
    return Balance(event.balance.units)


BALANCE = Fold("balance", Balance(), evolve, (BalanceChanged,))


def balance_id(customer: UUID, currency: str) -> UUID:
    """The stream of a customer's balance in a currency."""
    return derived_id(customer, "balance", currency)
