"""Prices as clients write and read them (wire 18.3, 18.4)."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field

from kernel.entitlement import Reset
from kernel.errors import Invalid, InvalidFields
from kernel.ids import NIL, derived_id
from kernel.price import (
    DEFAULT_TRIAL_DAYS,
    NOTHING,
    TIER_MODELS,
    Charge,
    PaymentType,
    Price,
    PriceModel,
    PriceRow,
    PriceType,
    Rate,
    TaxBehavior,
    Tier,
    parse_rate,
)
from wire.base import In, Text
from wire.catalog.entitlement import RolloverIn, UsageAlertsIn, rollover_out, usage_alerts_out
from wire.catalog.fields import Count, Currency, Period, number


INF = "inf"


class PriceDataIn(In):
    """An amount in major units; ``block_size`` for PACKAGE."""

    amount: Decimal | None = None
    block_size: Annotated[Count, Field(ge=1)] = 1


class TierIn(In):
    """Up to ``upTo`` units, or ``inf``."""

    up_to: Annotated[Count, Field(ge=1)] | Literal["inf"] | None
    unit_amount: Decimal | None = None
    flat_amount: Decimal | None = None


class AdvancedIn(In):
    """Bounds of the quantity."""

    min_quantity: Count | None = None
    max_quantity: Count | None = None


class ChargeIn(In):
    """What is charged per period."""

    charge_period: Period
    price_data: PriceDataIn = PriceDataIn()
    tiers: Annotated[list[TierIn], Field(max_length=100)] | None = None
    advanced: AdvancedIn | None = None


class PriceRowIn(In):
    """The charges of a feature; ``feature`` null: the base price."""

    feature: UUID | None = None
    price_model: PriceModel = PriceModel.FLAT
    reset: Reset | None = None
    reset_time: Annotated[Text, Field(max_length=100)] | None = None
    has_unlimited_usage: bool = False
    payment_type: PaymentType = PaymentType.ADVANCE_COMMITMENT
    rollover: RolloverIn | None = None
    usage_alerts: UsageAlertsIn | None = None
    charges: list[ChargeIn] = Field(default_factory=list, max_length=20)


class PriceIn(In):
    """The price of one currency."""

    price_type: PriceType
    currency: Currency
    free_trial: bool = False
    trial_period: Annotated[int, Field(ge=1, le=365, strict=True)] = DEFAULT_TRIAL_DAYS
    enabled: bool = True
    tax_behavior: TaxBehavior = TaxBehavior.EXCLUSIVE
    charge_catalog_price: list[PriceRowIn] = Field(default_factory=list, max_length=200)


class PricesIn(In):
    """The whole set of prices of a plan."""

    prices: Annotated[list[PriceIn], Field(max_length=200)]

    def values(self) -> list[Price]:
        """The prices in exact minor units. Raises InvalidFields."""
        problems: list[str] = []
        prices: list[Price] = []
        for index, price in enumerate(self.prices):
            try:
                prices.append(_price(price))
            except Invalid as refusal:
                problems.append(f"prices[{index}]: {refusal.message}")
        if problems:
            raise InvalidFields({"prices": problems})
        return prices


def _price(price: PriceIn) -> Price:
    return Price(
        id=NIL,
        type=price.price_type,
        currency=price.currency,
        free_trial=price.free_trial,
        trial_days=price.trial_period,
        enabled=price.enabled,
        tax_behavior=price.tax_behavior,
        rows=tuple(_row(row, price.currency) for row in price.charge_catalog_price),
    )


def _row(row: PriceRowIn, currency: str) -> PriceRow:
    return PriceRow(
        feature=row.feature,
        model=row.price_model,
        payment=row.payment_type,
        reset=row.reset,
        reset_time=row.reset_time,
        unlimited=row.has_unlimited_usage,
        rollover=None if row.rollover is None else row.rollover.value(),
        usage_alerts=None if row.usage_alerts is None else row.usage_alerts.value(),
        charges=tuple(_charge(charge, row.price_model, currency) for charge in row.charges),
    )


def _charge(charge: ChargeIn, model: PriceModel, currency: str) -> Charge:
    data, bounds = charge.price_data, charge.advanced or AdvancedIn()
    tiered = model in TIER_MODELS
    if data.amount is None and not tiered:
        raise Invalid(f"{charge.charge_period}: priceData.amount is required.")
    return Charge(
        period=charge.charge_period,
        rate=NOTHING if tiered else _rate(data.amount, currency),
        block_size=data.block_size,
        tiers=tuple(_tier(tier, currency) for tier in charge.tiers or () if tiered),
        minimum=bounds.min_quantity,
        maximum=bounds.max_quantity,
    )


def _tier(tier: TierIn, currency: str) -> Tier:
    return Tier(
        up_to=tier.up_to if isinstance(tier.up_to, int) else None,
        unit=_rate(tier.unit_amount, currency),
        flat=_rate(tier.flat_amount, currency),
    )


def _rate(amount: Decimal | None, currency: str) -> Rate:
    return NOTHING if amount is None else parse_rate(amount, currency)


def price_out(price: Price, default_currency: str | None) -> dict[str, Any]:
    """The price record. The product's default currency is always enabled (wire 18.1)."""
    return {
        "id": str(price.id),
        "priceType": price.type,
        "currency": price.currency,
        "freeTrial": price.free_trial,
        "trialPeriod": price.trial_days,
        "enabled": price.enabled or price.currency == default_currency,
        "taxBehavior": price.tax_behavior,
        "chargeCatalogPrice": [_row_out(price, row) for row in price.rows],
    }


def _row_out(price: Price, row: PriceRow) -> dict[str, Any]:
    return {
        "feature": row.feature and str(row.feature),
        "priceModel": row.model,
        "reset": row.reset,
        "resetTime": row.reset_time,
        "hasUnlimitedUsage": row.unlimited,
        "paymentType": row.payment,
        "rollover": rollover_out(row.rollover),
        "usageAlerts": usage_alerts_out(row.usage_alerts),
        "charges": [charge_out(price, row, charge) for charge in row.charges],
    }


def charge_out(price: Price, row: PriceRow, charge: Charge) -> dict[str, Any]:
    """One of ``charges``."""
    return {
        "id": str(derived_id(price.id, row.feature or "base", charge.period)),
        "chargePeriod": charge.period,
        "priceData": _price_data_out(price.currency, row.model, charge),
        "tiers": [_tier_out(tier, price.currency) for tier in charge.tiers],
        "advanced": {"min_quantity": charge.minimum, "max_quantity": charge.maximum},
    }


def _price_data_out(currency: str, model: PriceModel, charge: Charge) -> dict[str, Any]:
    if model in TIER_MODELS:
        return {"currency": currency}
    amount: dict[str, Any] = {"amount": number(charge.rate, currency)}
    return amount if model is PriceModel.FLAT else {**amount, "block_size": charge.block_size}


def _tier_out(tier: Tier, currency: str) -> dict[str, Any]:
    return {
        "flatAmount": number(tier.flat, currency),
        "unitAmount": number(tier.unit, currency),
        "upTo": INF if tier.up_to is None else tier.up_to,
    }
