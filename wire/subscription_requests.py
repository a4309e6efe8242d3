"""What clients send about subscriptions (wire 6.3, 6.5, design 13)."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from aggregates.subscription.events import CancellationType
from kernel.money import CURRENCIES, MAX_UNITS
from kernel.retention import Feedback
from wire import fields
from wire.base import In, Text
from wire.catalog.fields import Period
from wire.fields import Identifier, ShortText


LARGEST_QUANTITY = 10**9


def _currency(value: str) -> str:
    if value.upper() not in CURRENCIES:
        raise ValueError("Enter an ISO 4217 currency code.")
    return value.upper()


Instant = fields.Instant
"""Also for what others send about subscriptions."""

CurrencyCode = Annotated[Text, Field(max_length=3), AfterValidator(_currency)]
"""An ISO 4217 code, in either case."""


class QuantityIn(In):
    """How much of a feature."""

    identifier: Identifier
    quantity: Annotated[int, Field(ge=0, le=LARGEST_QUANTITY, strict=True)]


class SubscriptionIn(In):
    """A new subscription without checkout; ``trialEnd`` ``now`` leaves the plan's trial out.

    ``customAmount`` in major units of ``currencyCode`` replaces the plan's price per period.
    """

    plan_identifier: Identifier
    charge_period: Period
    customer_id: Identifier
    features: Annotated[tuple[QuantityIn, ...], Field(max_length=200)] = ()
    currency_code: CurrencyCode | None = None
    start_date: Instant | None = None
    bill_past_periods: bool = True
    trial_end: Literal["now"] | Instant | None = None
    discount_code: ShortText | None = None
    custom_amount: Annotated[Decimal, Field(gt=0, lt=MAX_UNITS)] | None = None
    success_url: ShortText | None = None
    ip_address: ShortText | None = None

    @model_validator(mode="after")
    def _one_quantity_per_feature(self) -> SubscriptionIn:
        named = [item.identifier for item in self.features]
        if len(named) != len(set(named)):
            raise ValueError("Each feature may be named once.")
        return self

    @property
    def quantities(self) -> dict[str, int]:
        """By feature identifier."""
        return {item.identifier: item.quantity for item in self.features}


class CancellationIn(In):
    """How and why a subscription shall end."""

    cancellation_type: CancellationType = CancellationType.CURRENT_PERIOD_ENDS
    cancellation_date: date | None = None
    cancellation_feedback: Feedback | None = None
    cancellation_comment: Annotated[Text, Field(max_length=5_000)] | None = None
    credit_unused_time: bool = False
