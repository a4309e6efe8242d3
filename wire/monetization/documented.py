"""The shapes of public and product offerings, for OpenAPI."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict


class PriceOut(TypedDict):
    """What a plan costs; a free plan has one charge of 0."""

    id: str
    priceType: str
    freeTrial: bool
    trialPeriod: int
    currency: str
    enabled: bool
    charges: list[dict[str, Any]]


class PlanOut(TypedDict):
    """A plan on sale; ``originalPrice`` is before a targeting rule, empty where none holds."""

    name: str
    description: str
    identifier: str
    details: dict[str, Any]
    isVisible: bool
    metadata: dict[str, Any]
    basePlan: str | None
    price: PriceOut
    originalPrice: dict[str, float]
    features: list[dict[str, Any]]
    shouldHighlight: bool
    enabled: bool
    displayName: str
    displayDescription: str
    includes: str


class BillingPeriodOut(TypedDict):
    """A period to choose from."""

    chargePeriod: str
    displayName: str
    enabled: bool
    promoCaption: str
    defaultSelected: bool


class PlaceOut(TypedDict):
    """Where and in which currency prices are shown; empty texts where it is not known."""

    countryCode: str
    pricingLocale: str
    currencyCode: str
    currencySymbol: str
    baseCurrencyCode: str
    baseCurrencySymbol: str


class PublicOfferingOut(PlaceOut):
    """An offering as its public sees it."""

    id: str
    name: str
    description: str
    pricingTable: dict[str, Any] | None
    plans: list[PlanOut]
    subscription: dict[str, Any]
    isCustomerExists: bool
    billingPeriods: list[BillingPeriodOut]


class ProductOfferingOut(PlaceOut):
    """The plans of a product."""

    organizationId: int
    currencyConversionRate: float
    plans: list[PlanOut]
    subscription: dict[str, Any]
    isCustomerExists: bool
    billingPeriods: list[BillingPeriodOut]
