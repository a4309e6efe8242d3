"""The discount as clients write and read it (spec: Discount, wire 10, design 13)."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from kernel.discount import Duration, PriceOff
from kernel.errors import InvalidFields
from kernel.money import Money
from wire.amounts import decimal
from wire.base import In, Text
from wire.catalog.fields import Count, Period
from wire.exact_units import exact_units
from wire.fields import CurrencyCode, Identifier, Instant, ShortText
from wire.times import seconds


class DiscountType(StrEnum):
    """What a discount takes: a part of the price, or an amount."""

    PERCENTAGE = "PERCENTAGE"
    FIXED = "FIXED"


Code = Annotated[Text, Field(max_length=64, pattern=r"^[A-Za-z0-9][A-Za-z0-9._%+\-]*$")]
"""What people type in."""

Positive = Annotated[int, Field(ge=1, le=10**9, strict=True)]


class AppliesToIn(In):
    """A product (identifier or id), optionally one plan and one period of it."""

    product: Identifier
    plan: Identifier | None = None
    charge_period: Period | None = None


class DiscountIn(In):
    """A new discount; ``code`` left out is generated."""

    discount_type: DiscountType
    duration: Duration
    name: ShortText = ""
    code: Code | None = None
    percentage_off: Annotated[int, Field(ge=1, le=100, strict=True)] | None = None
    amount_off: Annotated[Decimal, Field(gt=0, max_digits=18)] | None = None
    amount_off_units: Annotated[Count, Field(ge=1)] | None = None
    currency: CurrencyCode | None = None
    duration_in_cycles: Annotated[int, Field(ge=1, le=1200, strict=True)] | None = None
    max_redemptions: Positive | None = None
    expires_at: Instant | None = None
    applies_to: Annotated[tuple[AppliesToIn, ...], Field(max_length=200)] | None = None
    enabled: bool = True

    def off(self) -> PriceOff:
        """What it takes. Raises InvalidFields for fields that do not go together."""
        problems = _PERCENTAGE if self.discount_type is DiscountType.PERCENTAGE else _FIXED
        self._require({name: getattr(self, name) for name in problems["forbidden"]}, present=False)
        if self.discount_type is DiscountType.PERCENTAGE:
            self._require({"percentage_off": self.percentage_off}, present=True)
            return PriceOff(percentage=self.percentage_off)
        self._require({"currency": self.currency}, present=True)
        currency = self.currency or ""
        units = exact_units("amountOff", self.amount_off, self.amount_off_units, currency)
        return PriceOff(amount=Money(units, currency))

    def cycles(self) -> int | None:
        """Invoiced periods it holds for; None for ever. Raises InvalidFields."""
        cycles = {"duration_in_cycles": self.duration_in_cycles}
        self._require(cycles, present=self.duration is Duration.REPEATING)
        return self.duration_in_cycles

    def _require(self, fields: dict[str, Any], *, present: bool) -> None:
        message = "This field is required." if present else "This field does not belong here."
        wrong = [name for name, value in fields.items() if (value is not None) is not present]
        if wrong:
            alias = {name: type(self).model_fields[name].alias or name for name in wrong}
            raise InvalidFields({alias[name]: [message] for name in wrong})


_PERCENTAGE = {"forbidden": ("amount_off", "amount_off_units", "currency")}
_FIXED = {"forbidden": ("percentage_off",)}


class DiscountChangesIn(In):
    """PATCH switches a discount on or off; nothing else of it changes."""

    enabled: bool


class CatalogNameOut(TypedDict):
    """A product or plan as it was called when the discount was made."""

    id: str
    identifier: str
    name: str


class AppliesToOut(TypedDict):
    """What the discount may be used for; null: all plans, all periods."""

    product: CatalogNameOut
    plan: CatalogNameOut | None
    chargePeriod: str | None


class DiscountOut(TypedDict):
    """A discount; ``status`` is as of now."""

    id: str
    code: str
    name: str
    discountType: str
    percentageOff: int | None
    amountOff: str | None
    amountOffUnits: int | None
    currency: str | None
    duration: str
    durationInCycles: int | None
    maxRedemptions: int | None
    redemptionCount: int
    expiresAt: str | None
    appliesTo: list[AppliesToOut]
    enabled: bool
    status: str
    createdOn: str
    modifiedOn: str


def discount_out(doc: dict[str, Any], *, status: str) -> DiscountOut:
    """The discount record; the status is the reader's to say."""
    units, currency = doc["amount_off_units"], doc["currency"]
    kind = DiscountType.PERCENTAGE if units is None else DiscountType.FIXED
    return {
        "id": doc["id"],
        "code": doc["code"],
        "name": doc["name"],
        "discountType": kind.value,
        "percentageOff": doc["percentage_off"],
        "amountOff": None if units is None else decimal(units, currency),
        "amountOffUnits": units,
        "currency": currency,
        "duration": doc["duration"],
        "durationInCycles": doc["cycles"] if doc["duration"] == Duration.REPEATING else None,
        "maxRedemptions": doc["max_redemptions"],
        "redemptionCount": doc["redemption_count"],
        "expiresAt": seconds(doc["expires_at"]),
        "appliesTo": [applies_to_out(row) for row in doc["applies_to"]],
        "enabled": doc["enabled"],
        "status": status,
        "createdOn": seconds(doc["created_on"]),
        "modifiedOn": seconds(doc["modified_on"]),
    }


def applies_to_out(row: dict[str, Any]) -> AppliesToOut:
    """One row of what a discount is for."""
    return {"product": row["product"], "plan": row["plan"], "chargePeriod": row["charge_period"]}
