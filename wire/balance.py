"""The customer balance as clients read it (design 13); negative is the customer's credit."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any

from pydantic import AliasChoices, Field
from typing_extensions import TypedDict

from kernel.errors import InvalidFields
from kernel.money import MAX_UNITS, Money
from wire.amounts import decimal
from wire.base import In, Text
from wire.exact_units import exact_units
from wire.fields import CurrencyCode
from wire.times import seconds


class AdjustmentIn(In):
    """A change of a balance by hand; negative gives the customer credit."""

    currency_code: Annotated[
        CurrencyCode,
        Field(validation_alias=AliasChoices("currencyCode", "currency_code", "currency")),
    ]
    reason: Annotated[Text, Field(min_length=1, max_length=5_000)]
    amount: Annotated[Decimal, Field(gt=-MAX_UNITS, lt=MAX_UNITS)] | None = None
    amount_units: Annotated[int, Field(gt=-MAX_UNITS, lt=MAX_UNITS, strict=True)] | None = None

    def money(self) -> Money:
        """The change. Raises InvalidFields."""
        units = exact_units("amount", self.amount, self.amount_units, self.currency_code)
        if not units:
            raise InvalidFields({"amount": ["The amount must not be 0."]})
        return Money(units, self.currency_code)


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
