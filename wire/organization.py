"""Settings of an organization as clients write and read them (spec, design 13)."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise
from typing import Annotated, Any
from uuid import UUID

import msgspec
from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from aggregates.product.events import TaxCode
from kernel.custom_fields import FieldType
from kernel.settings import ProrationBehavior, WebhookSignature
from wire.base import In, Metadata, Text
from wire.customer import address_out
from wire.fields import AddressIn, Country, CurrencyCode, ShortText
from wire.media import public_address


def exact(value: Decimal) -> str:
    """A percentage as facts keep it: exact decimal text."""
    return f"{value.normalize():f}"


def _ascending(value: list[int]) -> list[int]:
    if any(later <= earlier for earlier, later in pairwise(value)):
        raise ValueError("Days must ascend.")
    return value


def _known_tax_code(value: str) -> str:
    if value and value not in set(TaxCode):
        raise ValueError(f"Input should be one of: {', '.join(TaxCode)}")
    return value


def _upper(value: Any) -> Any:
    return value.upper() if isinstance(value, str) else value


Percent = Annotated[Decimal, Field(ge=0, le=100, max_digits=9, decimal_places=6)]
"""A percentage as a number or text with at most six decimals."""

Units = Annotated[int, Field(ge=0, le=10**12)]
Days = Annotated[
    list[Annotated[int, Field(ge=1, le=365)]], Field(max_length=50), AfterValidator(_ascending)
]


class TaxRateIn(In):
    """The tax of a country, for one tax code or for all others."""

    country: Country
    percent: Percent
    tax_code: Annotated[ShortText, AfterValidator(_known_tax_code)] = ""
    name: ShortText = ""


class FeeScheduleIn(In):
    """What PATCH may name of the fees; what is left out stays."""

    base_percent: Percent | None = None
    base_percent_after: Percent | None = None
    threshold_units: Units | None = None
    fixed_units: dict[CurrencyCode, Units] | None = None
    international_percent: Percent | None = None
    subscription_percent: Percent | None = None
    conversion_percent: Percent | None = None
    payout_currency: CurrencyCode | None = None
    floor_percent: Percent | None = None
    floor_fixed_units: Units | None = None


class SettingsIn(In):
    """What PATCH may name; what is left out or null stays as it is."""

    update_subscription_proration_behavior: ProrationBehavior | None = None
    migrate_subscription_proration_behavior: ProrationBehavior | None = None
    one_subscription_per_product: bool | None = None
    off_session_charging: bool | None = None
    tax_rates: Annotated[list[TaxRateIn], Field(max_length=1000)] | None = None
    tax_id_lowers_inclusive_price: bool | None = None
    dunning_schedule: Days | None = None
    checkout_expiry_hours: Annotated[int, Field(ge=1, le=8760)] | None = None
    fee_schedule: FeeScheduleIn | None = None
    webhook_signature_scheme: WebhookSignature | None = None
    legal_name: ShortText | None = None
    address: AddressIn | None = None
    tax_id: ShortText | None = None


Option = Annotated[Text, Field(min_length=1, max_length=200)]


class CustomFieldIn(In):
    """What buyers are asked besides name and address; ``options`` are those of a DROPDOWN."""

    key: Annotated[Text, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$")]
    label: Annotated[Text, Field(min_length=1, max_length=200)]
    type: Annotated[FieldType, BeforeValidator(_upper)] = FieldType.TEXT
    required: bool = False
    options: Annotated[tuple[Option, ...], Field(max_length=200)] = ()

    @model_validator(mode="after")
    def _has_options(self) -> CustomFieldIn:
        if (self.type is FieldType.DROPDOWN) != bool(self.options):
            raise ValueError("A DROPDOWN has options, other types have none.")
        return self


def _one_per_key(value: list[CustomFieldIn]) -> list[CustomFieldIn]:
    if len({field.key for field in value}) < len(value):
        raise ValueError("Each key may be used once.")
    return value


class CheckoutSettingsIn(In):
    """What PATCH may name; null clears. Pictures are file keys or https addresses."""

    brand_name: ShortText | None = None
    light_logo: ShortText | None = None
    dark_logo: ShortText | None = None
    favicon: ShortText | None = None
    background_image: ShortText | None = None
    customization: Metadata | None = None
    custom_fields: (
        Annotated[list[CustomFieldIn], Field(max_length=50), AfterValidator(_one_per_key)] | None
    ) = None


def settings_out(doc: dict[str, Any]) -> dict[str, Any]:
    """The settings, each by its name, percentages as exact numbers."""
    settings = doc["settings"]
    fees, address = settings["fee_schedule"], settings["address"]
    return {
        "id": doc["id"],
        "slug": doc["slug"],
        "merchantOfRecord": doc["merchant_of_record"],
        "updateSubscriptionProrationBehavior": settings["update_subscription_proration_behavior"],
        "migrateSubscriptionProrationBehavior": settings["migrate_subscription_proration_behavior"],
        "oneSubscriptionPerProduct": settings["one_subscription_per_product"],
        "offSessionCharging": settings["off_session_charging"],
        "taxRates": [
            {
                "country": rate["country"],
                "percent": _number(rate["percent"]),
                "taxCode": rate["tax_code"],
                "name": rate["name"],
            }
            for rate in settings["tax_rates"]
        ],
        "taxIdLowersInclusivePrice": settings["tax_id_lowers_inclusive_price"],
        "dunningSchedule": settings["dunning_schedule"],
        "checkoutExpiryHours": settings["checkout_expiry_hours"],
        "feeSchedule": {
            "basePercent": _number(fees["base_percent"]),
            "basePercentAfter": _number(fees["base_percent_after"]),
            "thresholdUnits": fees["threshold_units"],
            "fixedUnits": {fee["currency"]: fee["units"] for fee in fees["fixed_units"]},
            "internationalPercent": _number(fees["international_percent"]),
            "subscriptionPercent": _number(fees["subscription_percent"]),
            "conversionPercent": _number(fees["conversion_percent"]),
            "payoutCurrency": fees["payout_currency"],
            "floorPercent": _number(fees["floor_percent"]),
            "floorFixedUnits": fees["floor_fixed_units"],
        },
        "webhookSignatureScheme": settings["webhook_signature_scheme"],
        "legalName": settings["legal_name"],
        "address": None if address is None else address_out(address),
        "taxId": settings["tax_id"],
    }


def checkout_settings_out(doc: dict[str, Any]) -> dict[str, Any]:
    """The look of hosted pages; pictures are tokens that the reader turns into addresses."""
    return {
        "brandName": doc["brand_name"],
        "lightLogo": "\x00light_logo",
        "darkLogo": "\x00dark_logo",
        "favicon": "\x00favicon",
        "backgroundImage": "\x00background_image",
        "customization": doc["customization"],
        "customFields": doc["custom_fields"],
    }


def picture_address(key: str | None, base_url: str, organization: UUID) -> str | None:
    """Where a picture is: an https address as it was given, a file key under ``/media/``."""
    if not key or key.startswith("https://"):
        return key
    return public_address(base_url, organization, key)


def _number(text: str) -> msgspec.Raw:
    """An exact decimal as a JSON number, without passing through a float."""
    return msgspec.Raw(text.encode())
