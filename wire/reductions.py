"""What an invoice says about its discounts and taxes."""

from __future__ import annotations

from typing import Any

import msgspec
from typing_extensions import TypedDict

from kernel.tax import TaxRelief
from wire.amounts import decimal


class DiscountPartOut(TypedDict):
    """A discount of an invoice and what it took; ``code`` null: a retention offer."""

    name: str
    code: str | None
    percentageOff: int | None
    amount: str
    amountUnits: int


class TaxPartOut(TypedDict):
    """One rate of an invoice; the ``base`` of an INCLUSIVE one contains the ``amount``.

    ``relief`` says why nothing was taken; null: it was.
    """

    name: str
    country: str
    taxCode: str
    percent: float
    taxBehavior: str
    relief: str | None
    base: str
    baseUnits: int
    amount: str
    amountUnits: int


def discount_part_out(part: dict[str, Any], currency: str) -> DiscountPartOut:
    """One discount."""
    return {
        "name": part["name"],
        "code": part["code"],
        "percentageOff": part["percentage"],
        "amount": decimal(part["amount_units"], currency),
        "amountUnits": part["amount_units"],
    }


def tax_part_out(part: dict[str, Any], currency: str) -> TaxPartOut:
    """One rate; the percentage is an exact number, without a float on the way."""
    exact: Any = msgspec.Raw(part["percent"].encode())
    return {
        "name": part["name"],
        "country": part["country"],
        "taxCode": part["tax_code"],
        "percent": exact,
        "taxBehavior": part["behavior"],
        "relief": None if part["relief"] == TaxRelief.NONE else part["relief"],
        "base": decimal(part["base_units"], currency),
        "baseUnits": part["base_units"],
        "amount": decimal(part["amount_units"], currency),
        "amountUnits": part["amount_units"],
    }
