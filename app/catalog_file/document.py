"""What a catalog file may say (docs/reference/catalog.md)."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, StrictInt
from pydantic.alias_generators import to_camel

from aggregates.product.events import TaxCode
from kernel.entitlement import AlertThreshold, FeatureType, Reset
from kernel.interval import ChargePeriod
from kernel.offer import DurationUnit
from kernel.price import PaymentType, PriceModel, PriceType, TaxBehavior
from wire.catalog.fields import Currency, HttpUrl, Name, Period, Slug


class Part(BaseModel):
    """A mapping of the file: keys in camelCase, unknown ones refused."""

    model_config = ConfigDict(alias_generator=to_camel, extra="forbid", frozen=True)


def _number(value: Any) -> Any:
    """Text and numbers, but neither true nor false."""
    if isinstance(value, bool):
        raise ValueError("an amount is expected, such as 8.75")  # noqa: TRY004 pydantic's way
    return value


Amount = Annotated[Decimal, BeforeValidator(_number), Field(ge=0, lt=10**15)]
Units = Annotated[StrictInt, Field(ge=0, lt=10**15)]


class UnitsPart(Part):
    """One user, two users."""

    singular: Name
    plural: Name


class FeaturePart(Part):
    """A feature."""

    name: Name
    type: FeatureType
    description: str = ""
    units: UnitsPart | None = None
    customer_unit: Any = None
    aggregation: dict[str, Any] = Field(default_factory=dict)
    filters: list[Any] = Field(default_factory=list)
    metadata: dict[str, Any] = Field(default_factory=dict)


class SettingsPart(Part):
    """The settings of a product."""

    currency: Currency | None = None
    product_url: HttpUrl | None = None
    vpn: StrictBool = False
    tor: StrictBool = False
    proxy: StrictBool = False


class LinkPart(Part):
    """An external address."""

    name: Name
    url: HttpUrl


class DurationPart(Part):
    """How long a license lives."""

    unit: DurationUnit
    value: Annotated[StrictInt, Field(ge=1, le=10_000)]


class LicensePart(Part):
    """Each order issues a key."""

    activation_limit: Annotated[StrictInt, Field(ge=1, le=1_000_000)] | None = None
    duration: DurationPart | None = None


class TierPart(Part):
    """Up to ``upTo`` units."""

    up_to: Annotated[StrictInt, Field(ge=1)] | Literal["inf"]
    unit: Amount = Decimal(0)
    flat: Amount = Decimal(0)


class ChargePart(Part):
    """What a feature costs in a period; bounds here win over those of the feature."""

    amount: Amount = Decimal(0)
    block_size: Annotated[StrictInt, Field(ge=1)] = 1
    tiers: list[TierPart] = Field(default_factory=list)
    minimum: Units | None = None
    maximum: Units | None = None


def _charge(value: Any) -> Any:
    """An amount alone is a charge of that amount."""
    return value if isinstance(value, dict) else {"amount": value}


class RolloverPart(Part):
    """Unused units that survive a reset."""

    enabled: StrictBool = False
    percentage: Annotated[StrictInt, Field(ge=0, le=100)] = 0
    limit: Units | None = None


class UsageAlertsPart(Part):
    """When to tell that a limit comes near."""

    enabled: StrictBool = False
    thresholds: list[Units] = Field(default_factory=list)
    threshold_type: AlertThreshold = AlertThreshold.PERCENTAGE


class RowPart(Part):
    """What a feature costs on top of the base price."""

    charges: dict[Period, Annotated[ChargePart, BeforeValidator(_charge)]] = Field(min_length=1)
    model: PriceModel = PriceModel.FLAT
    payment: PaymentType = PaymentType.ADVANCE_COMMITMENT
    minimum: Units | None = None
    maximum: Units | None = None
    reset: Reset | None = None
    reset_time: str | None = None
    has_unlimited_usage: StrictBool = False
    rollover: RolloverPart | None = None
    usage_alerts: UsageAlertsPart | None = None


class PricePart(Part):
    """The price of one currency."""

    currency: Currency
    type: PriceType = PriceType.PAID
    trial_days: Annotated[StrictInt, Field(ge=1, le=365)] | None = None
    tax_behavior: TaxBehavior = TaxBehavior.EXCLUSIVE
    enabled: StrictBool = True
    base: dict[Period, Amount] = Field(default_factory=dict)
    features: dict[str, RowPart] = Field(default_factory=dict)

    @property
    def recurs(self) -> bool:
        """Whether any of its periods comes again."""
        periods = {*self.base, *(p for row in self.features.values() for p in row.charges)}
        return bool(periods - {ChargePeriod.ONE_TIME})


class DetailsPart(Part):
    """The conditions under which a feature is granted; unknown keys pass through."""

    model_config = ConfigDict(extra="allow")

    value: StrictBool | Units | None = None
    has_unlimited_usage: StrictBool = False
    hard_limit: StrictBool = False
    reset: Reset | None = None
    reset_time: str | None = None
    rollover: RolloverPart | None = None
    usage_alerts: UsageAlertsPart | None = None


def _details(value: Any) -> Any:
    """``unlimited`` or a value alone are details, too."""
    if isinstance(value, dict):
        return value
    return {"hasUnlimitedUsage": True} if value == "unlimited" else {"value": value}


class PlanPart(Part):
    """A plan: its words, its prices and what it grants."""

    name: Name
    description: str = ""
    visible: StrictBool = True
    ordering: StrictInt | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)
    links: list[LinkPart] = Field(default_factory=list)
    license: LicensePart | None = None
    prices: list[PricePart] = Field(default_factory=list)
    entitlements: dict[str, Annotated[DetailsPart, BeforeValidator(_details)]] = Field(
        default_factory=dict
    )


class ProductPart(Part):
    """A product with its plans."""

    name: Name
    tax_code: TaxCode
    description: str = ""
    settings: SettingsPart = SettingsPart()
    plans: dict[Slug, PlanPart] = Field(default_factory=dict)


class CatalogFile(Part):
    """The whole file."""

    features: dict[Slug, FeaturePart] = Field(default_factory=dict)
    products: dict[Slug, ProductPart] = Field(default_factory=dict)

    @property
    def plans(self) -> dict[str, tuple[str, PlanPart]]:
        """Every plan by its identifier, with the identifier of its product."""
        return {
            identifier: (owner, plan)
            for owner, product in self.products.items()
            for identifier, plan in product.plans.items()
        }
