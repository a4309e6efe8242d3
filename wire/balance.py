"""The customer balance as clients read it (design 13); negative is the customer's credit."""

from __future__ import annotations

from typing import Any

from wire.amounts import decimal
from wire.times import seconds


def balance_out(doc: dict[str, Any]) -> dict[str, Any]:
    """What stands in one currency."""
    return {
        "currency": doc["currency"],
        "balance": decimal(doc["balance_units"], doc["currency"]),
        "balanceUnits": doc["balance_units"],
    }


def entry_out(doc: dict[str, Any]) -> dict[str, Any]:
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
