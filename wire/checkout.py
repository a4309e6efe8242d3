"""What clients and buyers send about checkout sessions (spec: Checkout session, wire 16.1)."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BeforeValidator, Field
from typing_extensions import TypedDict

from kernel.interval import ChargePeriod
from kernel.money import MAX_UNITS
from kernel.postal import Address
from kernel.price import LONGEST_TRIAL_DAYS, TaxBehavior
from wire.base import In, Metadata
from wire.catalog.fields import QUARTERLY, HttpUrl, Period
from wire.fields import AddressIn, Country, CurrencyCode, Email, Identifier, ShortText
from wire.quantities import Quantities, QuantitiesIn


def _items(value: Any) -> Any:
    """A list, as a list or as text separated by commas."""
    if value is None:
        return ()
    if isinstance(value, str):
        value = value.split(",")
    if isinstance(value, list | tuple):
        return tuple(item.strip() for item in value if not isinstance(item, str) or item.strip())
    return value


def _periods(value: Any) -> Any:
    """Normalized to upper case, each once (spec: billingPeriodsEnabled)."""
    listed = _items(value)
    if not isinstance(listed, tuple):
        return listed
    words = dict.fromkeys(str(word).upper() for word in listed)
    names = [ChargePeriod.THREE_MONTHS if word == QUARTERLY else word for word in words]
    if unknown := [name for name in names if name not in ChargePeriod.__members__]:
        raise ValueError(f"{unknown[0]!r} is not one of: {', '.join(ChargePeriod)}.")
    return tuple(names)


Listed = Annotated[tuple[Identifier, ...], BeforeValidator(_items), Field(max_length=100)]
"""Words separated by commas."""

Periods = Annotated[tuple[ChargePeriod, ...], BeforeValidator(_periods), Field(max_length=100)]
"""Billing periods separated by commas, in any case."""


def _upper(value: Any) -> Any:
    return value.upper() if isinstance(value, str) else value


class CheckoutIn(QuantitiesIn):
    """A new session; ``billingPeriodsEnabled`` and ``plansEnabled`` are separated by commas."""

    plan_identifier: Identifier
    charge_period: Annotated[Period, BeforeValidator(_upper)]
    success_url: HttpUrl
    cancel_url: HttpUrl | None = None
    customer_id: Identifier | None = None
    email: Email | None = None
    lock_email: bool = False
    plans_enabled: Listed = ()
    billing_periods_enabled: Periods = ()
    discount_code: ShortText | None = None
    discounts_enabled: bool = True
    custom_amount: Annotated[Decimal, Field(gt=0, lt=MAX_UNITS)] | None = None
    currency_code: CurrencyCode | None = None
    tax_behavior: (
        Annotated[Literal[TaxBehavior.INCLUSIVE, TaxBehavior.EXCLUSIVE], BeforeValidator(_upper)]
        | None
    ) = None
    trial_period: Annotated[int, Field(ge=1, le=LONGEST_TRIAL_DAYS, strict=True)] | None = None
    default_billing_country: Country | None = None
    ip_address: ShortText | None = None
    metadata: Metadata | None = None
    offering_id: UUID | None = None
    pricing_table_id: UUID | None = None
    rule_id: UUID | None = None


class CheckoutOut(TypedDict):
    """Where the buyer goes."""

    checkoutUrl: str
    checkoutSessionId: str


def _yes(value: Any) -> Any:
    return value.lower() in {"true", "1", "yes", "on"} if isinstance(value, str) else value


class LinkIn(In):
    """The query of a static product link; ``enabled`` are the plans that can be chosen."""

    enabled: Listed = ()
    plan_identifier: Identifier | None = None
    charge_period: Annotated[Period, BeforeValidator(_upper)] | None = None
    discounts_enabled: Annotated[bool, BeforeValidator(_yes)] = True
    discount_code: ShortText | None = None
    customer_id: Identifier | None = None
    success_url: HttpUrl | None = None
    offering_id: UUID | None = None


class EnteredIn(In):
    """What a buyer enters or chooses; what is left out stays, null and empty text clear."""

    email: Email | None = None
    name: ShortText | None = None
    billing_address: AddressIn | None = None
    tax_id: ShortText | None = None
    plan_identifier: Identifier | None = None
    charge_period: Annotated[Period, BeforeValidator(_upper)] | None = None
    features: Quantities | None = None
    discount_code: ShortText | None = None
    custom_fields: Annotated[dict[Identifier, Any], Field(max_length=100)] | None = None

    @property
    def changes(self) -> dict[str, Any]:
        """As ChangeCheckout and QuoteCheckout take them."""
        named = self.model_fields_set
        plain = ("email", "name", "tax_id", "discount_code")
        changes: dict[str, Any] = {name: getattr(self, name) for name in plain if name in named}
        if "billing_address" in named:
            address = self.billing_address
            changes["billing_address"] = address and Address(**address.model_dump())
        if self.plan_identifier is not None:
            changes["plan"] = self.plan_identifier
        if self.charge_period is not None:
            changes["period"] = self.charge_period
        if self.features is not None:
            changes["quantities"] = {item.identifier: item.quantity for item in self.features}
        if self.custom_fields is not None:
            changes["custom_fields"] = self.custom_fields
        return changes
