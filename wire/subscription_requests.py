"""What clients send about subscriptions (wire 6.3, 6.5, design 13)."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from aggregates.subscription.events import CancellationType
from kernel.money import MAX_UNITS
from kernel.retention import Feedback
from wire.base import In, Text
from wire.catalog.fields import Period
from wire.fields import CurrencyCode, Identifier, Instant, ShortText
from wire.quantities import QuantitiesIn


class SubscriptionIn(QuantitiesIn):
    """A new subscription without checkout; ``trialEnd`` ``now`` leaves the plan's trial out.

    ``customAmount`` in major units of ``currencyCode`` replaces the plan's price per period.
    """

    plan_identifier: Identifier
    charge_period: Period
    customer_id: Identifier
    currency_code: CurrencyCode | None = None
    start_date: Instant | None = None
    bill_past_periods: bool = True
    trial_end: Literal["now"] | Instant | None = None
    discount_code: ShortText | None = None
    custom_amount: Annotated[Decimal, Field(gt=0, lt=MAX_UNITS)] | None = None
    success_url: ShortText | None = None
    ip_address: ShortText | None = None


class CancellationIn(In):
    """How and why a subscription shall end."""

    cancellation_type: CancellationType = CancellationType.CURRENT_PERIOD_ENDS
    cancellation_date: date | None = None
    cancellation_feedback: Feedback | None = None
    cancellation_comment: Annotated[Text, Field(max_length=5_000)] | None = None
    credit_unused_time: bool = False
