"""The customer balance as clients read it (design 13); negative is the customer's credit."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from wire.amounts import decimal
from wire.times import seconds


class BalanceOut(TypedDict):
    """What stands in one currency."""

    currency: str
    balance: str
    balanceUnits: int


class BalanceEntryOut(BalanceOut):
    """One change of a balance, and what stood after it."""

    id: int
    amount: str
    amountUnits: int
    reason: str
    invoiceId: str | None
    note: str | None
    createdOn: str


def balance_out(doc: dict[str, Any]) -> BalanceOut:
    """What stands in one currency."""
    return {
        "currency": doc["currency"],
        "balance": decimal(doc["balance_units"], doc["currency"]),
        "balanceUnits": doc["balance_units"],
    }


def entry_out(doc: dict[str, Any]) -> BalanceEntryOut:
    """One change, and what stood after it."""
    return {
        "id": doc["id"],
        "amount": decimal(doc["amount_units"], doc["currency"]),
        "amountUnits": doc["amount_units"],
        **balance_out(doc),
        "reason": doc["reason"],
        "invoiceId": doc["invoice_number"],
        "note": doc["note"],
        "createdOn": seconds(doc["created_on"]),
    }
