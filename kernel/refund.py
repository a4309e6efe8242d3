"""What is given back of an order: how much, of which tax, and where it goes (design 7)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kernel.money import Money


class RefundReason(StrEnum):
    """Why money is given back, in the words of the wire (14)."""

    DUPLICATE = "DUPLICATE"
    FRAUDULENT = "FRAUDULENT"
    REQUESTED_BY_CUSTOMER = "REQUESTED_BY_CUSTOMER"
    OTHER = "OTHER"
    DASHBOARD_INITIATED = "DASHBOARD_INITIATED"


@dataclass(frozen=True, slots=True, kw_only=True)
class RefundShares:
    """A gross amount: ``tax`` is contained in it, ``method`` goes back the way it was paid."""

    amount: Money
    tax: Money
    method: Money

    @property
    def net(self) -> Money:
        """What is left of the amount without its tax."""
        return self.amount - self.tax

    @property
    def balance(self) -> Money:
        """What goes to the customer's balance: what the balance had paid."""
        return self.amount - self.method
