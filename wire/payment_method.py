"""The saved payment method as clients write and read it (wire 15)."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from wire.base import In, Text
from wire.customer import address_out
from wire.fields import Identifier, ShortText


SEPARATORS = re.compile(r"[ -]")
DIGITS = re.compile(r"[0-9]{12,19}")


def _card_number(value: str) -> str:
    digits = SEPARATORS.sub("", value)
    if not DIGITS.fullmatch(digits) or not passes_luhn(digits):
        raise ValueError("This is not a valid card number.")
    return digits


def passes_luhn(digits: str) -> bool:
    """The check digit that every card number ends with."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


ExpMonth = Annotated[int, Field(ge=1, le=12)]
ExpYear = Annotated[int, Field(ge=2000, le=2100)]


class CardIn(In):
    """A test card as typed in; nothing but brand, last four digits and expiry is kept."""

    number: Annotated[Text, Field(max_length=32), AfterValidator(_card_number)]
    exp_month: ExpMonth
    exp_year: ExpYear
    cvc: Annotated[Text, Field(pattern=r"^[0-9]{3,4}$")] | None = None


class PaymentMethodIn(In):
    """A method to save: a card or a token of the provider, one of the two."""

    customer_id: Identifier
    card: CardIn | None = None
    token: ShortText | None = None
    is_default: bool = False


class CardChangesIn(In):
    """A renewed card: the same number with another expiry."""

    exp_month: ExpMonth
    exp_year: ExpYear


class PaymentMethodChangesIn(In):
    """What PATCH may name. The default is left by making another method the default."""

    is_default: bool | None = None
    card: CardChangesIn | None = None


def payment_method_out(doc: dict[str, Any]) -> dict[str, Any]:
    """The payment method record. Instants have microseconds here."""
    customer = doc["customer"]
    address = customer["billing_address"]
    return {
        "id": doc["number"],
        "customer": {
            "customerId": customer["customer_id"],
            "name": customer["name"],
            "email": customer["email"],
            "billingAddress": None if address is None else address_out(address),
        },
        "methodType": doc["method_type"],
        "methodData": _method_data(doc["method_data"]),
        "isDefault": doc["is_default"],
        "status": doc["status"],
        "createdOn": doc["created_on"],
        "modifiedOn": doc["modified_on"],
    }


def _method_data(data: dict[str, Any]) -> dict[str, Any]:
    words = {"exp_month": "expMonth", "exp_year": "expYear"}
    return {words.get(name, name): value for name, value in data.items()}
