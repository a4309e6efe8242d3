"""The requests that make the catalog what a file says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.catalog_file.document import (
    ChargePart,
    DetailsPart,
    FeaturePart,
    PlanPart,
    PricePart,
    ProductPart,
    RowPart,
)
from app.catalog_file.plain import plain_charge
from kernel.entitlement import MeterKind
from kernel.interval import ChargePeriod
from kernel.price import DEFAULT_TRIAL_DAYS


Body = dict[str, Any]


def feature_words(part: FeaturePart) -> Body:
    """What PATCH of a feature takes."""
    return {"name": part.name, "description": part.description, "metadata": part.metadata}


def feature(identifier: str, part: FeaturePart) -> Body:
    """A new feature."""
    body = {**feature_words(part), "identifier": identifier, "featureType": part.type}
    if part.units is None:
        return body
    raw = bool(part.aggregation)
    kind = MeterKind.RAW_EVENTS if raw else MeterKind.PRE_AGGREGATED_USAGE
    body["featureDetails"] = {
        "featureSubType": kind,
        "units": part.units.model_dump(),
        "customerUnit": part.customer_unit,
    }
    if raw:
        body["meter"] = {"aggregation": part.aggregation, "filters": part.filters}
    return body


def product_words(part: ProductPart) -> Body:
    """What PATCH of a product takes."""
    return {"name": part.name, "description": part.description, "taxCode": part.tax_code}


def settings(part: ProductPart) -> Body:
    """All settings of a product."""
    return part.settings.model_dump(mode="json", by_alias=True)


def plan_words(part: PlanPart) -> Body:
    """What PATCH of a plan takes."""
    return {
        "name": part.name,
        "description": part.description,
        "isVisible": part.visible,
        "ordering": part.ordering,
        "metadata": part.metadata,
        "links": [link.model_dump() for link in part.links],
        "license": _license(part),
    }


def _license(part: PlanPart) -> Body:
    if part.license is None:
        return {"enabled": False}
    limit, duration = part.license.activation_limit, part.license.duration
    return {
        "enabled": True,
        "activationLimitEnabled": limit is not None,
        "activationLimit": limit,
        "hasExpiry": duration is not None,
        "durationUnit": duration and duration.unit,
        "durationValue": duration and duration.value,
    }


def prices(part: PlanPart, features: Mapping[str, str]) -> Body:
    """All prices of a plan; ``features`` are ids by identifier."""
    return {"prices": [_price(price, features) for price in part.prices]}


def _price(price: PricePart, features: Mapping[str, str]) -> Body:
    base = [
        {"chargePeriod": period, "priceData": {"amount": amount}}
        for period, amount in price.base.items()
    ]
    rows = [_row(features[name], row) for name, row in price.features.items()]
    return {
        "priceType": price.type,
        "currency": price.currency,
        "freeTrial": price.trial_days is not None,
        "trialPeriod": price.trial_days or DEFAULT_TRIAL_DAYS,
        "enabled": price.enabled,
        "taxBehavior": price.tax_behavior,
        "chargeCatalogPrice": [{"feature": None, "charges": base}, *rows] if base else rows,
    }


def _row(feature_id: str, row: RowPart) -> Body:
    kept = row.model_dump(
        mode="json",
        by_alias=True,
        include={"reset", "reset_time", "has_unlimited_usage", "rollover", "usage_alerts"},
    )
    return {
        **kept,
        "feature": feature_id,
        "priceModel": row.model,
        "paymentType": row.payment,
        "charges": [_charge(row, period, charge) for period, charge in row.charges.items()],
    }


def _charge(row: RowPart, period: ChargePeriod, charge: ChargePart) -> Body:
    plain = plain_charge(row, charge)
    data = {"amount": plain.get("amount"), "block_size": plain.get("blockSize", 1)}
    tiers = [
        {"upTo": tier["upTo"], "unitAmount": tier["unit"], "flatAmount": tier["flat"]}
        for tier in plain.get("tiers", ())
    ]
    bounds = {"min_quantity": plain.get("minimum"), "max_quantity": plain.get("maximum")}
    return {"chargePeriod": period, "priceData": data, "tiers": tiers, "advanced": bounds}


def details(part: DetailsPart) -> Body:
    """The conditions of an entitlement."""
    return part.model_dump(mode="json", by_alias=True)
