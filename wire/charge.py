"""The one-time charge as clients send and read it (spec: Charges, wire 19)."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal

import msgspec
from pydantic import Field
from typing_extensions import TypedDict

from kernel.money import MAX_UNITS
from kernel.price import TaxBehavior
from kernel.sale import BillingType
from wire.catalog.fields import Period
from wire.fields import CurrencyCode, Identifier, ShortText
from wire.quantities import QuantitiesIn
from wire.subscription import ProductOut, SoldPlanOut


class ChargeIn(QuantitiesIn):
    """A new charge; ``customAmount`` in major units replaces the plan's price."""

    plan_identifier: Identifier
    charge_period: Period
    customer_id: Identifier
    currency_code: CurrencyCode | None = None
    custom_amount: Annotated[Decimal, Field(gt=0, lt=MAX_UNITS)] | None = None
    tax_behavior: Literal[TaxBehavior.INCLUSIVE, TaxBehavior.EXCLUSIVE] | None = None
    ip_address: ShortText | None = None


class ChargeOut(TypedDict):
    """A charge: a one-time subscription record under its own id."""

    id: str
    startDate: str
    endDate: None
    billingPeriodStartTime: None
    billingPeriodEndTime: None
    amount: str
    recurrence: Literal[""]
    recurrenceUnit: None
    recurrenceType: None
    currency: str
    status: str
    product: ProductOut
    plan: SoldPlanOut
    features: list[Any]
    trialDaysRemaining: int
    customerId: str
    billingType: BillingType
    isCustomPricing: bool
    createdOn: str
    modifiedOn: str


def charge_out(subscription: bytes) -> bytes:
    """The charge, made of the body of its record; here the currency is in upper case."""
    record = msgspec.json.decode(subscription)
    shown = {name: record[name] for name in ChargeOut.__annotations__}
    return msgspec.json.encode({**shown, "currency": shown["currency"].upper(), "features": []})
