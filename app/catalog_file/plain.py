"""The one form in which equal things are equal: as the API keeps them, without defaults."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from pydantic import BaseModel

from app.catalog_file.document import (
    ChargePart,
    DetailsPart,
    FeaturePart,
    PlanPart,
    PricePart,
    ProductPart,
    RowPart,
)
from kernel.entitlement import FeatureType
from kernel.price import TIER_MODELS, PriceModel, PriceType


Plain = dict[str, Any]


def plain_feature(part: FeaturePart) -> Plain:
    """A feature; only METER ones have units and aggregation."""
    meter = {"units", "customer_unit", "aggregation", "filters"}
    return _dump(part, exclude=set() if part.type is FeatureType.METER else meter)


def plain_product(part: ProductPart) -> Plain:
    """A product without its plans."""
    return _dump(part, exclude={"plans"})


def plain_plan(part: PlanPart, types: Mapping[str, FeatureType]) -> Plain:
    """A plan; prices by currency. ``types`` are those of the features it may grant."""
    words = _dump(part, exclude={"prices", "entitlements", "license"})
    if part.license is not None:
        words["license"] = {"enabled": True, **_dump(part.license)}
    words["prices"] = {price.currency: plain_price(price) for price in part.prices}
    words["entitlements"] = {
        feature: plain_details(details, types.get(feature))
        for feature, details in part.entitlements.items()
    }
    return words


def plain_price(price: PricePart) -> Plain:
    """A price; a free one has no amounts, and a trial needs something that recurs."""
    words = _dump(price, exclude={"currency", "base", "features"})
    words["type"] = price.type.value
    if not price.recurs or price.type is PriceType.FREE:
        words.pop("trialDays", None)
    if price.type is not PriceType.FREE:
        words["base"] = {period.value: _text(amount) for period, amount in price.base.items()}
        words["features"] = {name: plain_row(row) for name, row in price.features.items()}
    return words


def plain_row(row: RowPart) -> Plain:
    """What a feature costs; bounds are with each charge."""
    words = _dump(row, exclude={"charges", "minimum", "maximum"})
    charges = {period.value: plain_charge(row, charge) for period, charge in row.charges.items()}
    return {**words, "charges": charges}


def plain_charge(row: RowPart, charge: ChargePart) -> Plain:
    """A charge with what its model reads."""
    words: Plain = {}
    if row.model in TIER_MODELS:
        words["tiers"] = [
            {"upTo": tier.up_to, "unit": _text(tier.unit), "flat": _text(tier.flat)}
            for tier in charge.tiers
        ]
    else:
        words["amount"] = _text(charge.amount)
    if row.model is PriceModel.PACKAGE:
        words["blockSize"] = charge.block_size
    bounds = {
        "minimum": row.minimum if charge.minimum is None else charge.minimum,
        "maximum": row.maximum if charge.maximum is None else charge.maximum,
    }
    return words | {name: bound for name, bound in bounds.items() if bound is not None}


def plain_details(details: DetailsPart, of: FeatureType | None) -> Plain:
    """What is granted; a value left out is the one that the API puts in."""
    words = _dump(details)
    if details.has_unlimited_usage:
        words.pop("value", None)
    elif details.value is None and of is not FeatureType.CUSTOMIZABLE:
        words["value"] = of is FeatureType.BOOLEAN or 0
    return words


def _dump(part: BaseModel, exclude: set[str] | None = None) -> Plain:
    dumped: Plain = part.model_dump(
        mode="json", by_alias=True, exclude_defaults=True, exclude=exclude
    )
    return dumped


def _text(amount: Decimal) -> str:
    return format(amount.normalize(), "f")


def differences(old: Plain, new: Plain) -> Iterator[tuple[str, str, str]]:
    """Path, old and new value of everything that is not the same; empty for what is not there."""
    before, after = dict(_flat(old)), dict(_flat(new))
    for path in [*before, *(path for path in after if path not in before)]:
        if before.get(path) != after.get(path):
            yield path, before.get(path, ""), after.get(path, "")


def _flat(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from _flat(item, f"{path}.{key}" if path else str(key))
    elif value not in ({}, None):
        shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        yield path, shown
