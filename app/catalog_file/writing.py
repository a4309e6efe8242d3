"""Writes the present catalog as a file that applies to nothing."""

from __future__ import annotations

from typing import Any

import yaml

from app.catalog_file.document import CatalogFile, DetailsPart, PlanPart, PricePart, RowPart
from app.catalog_file.plain import (
    Plain,
    plain_charge,
    plain_details,
    plain_feature,
    plain_price,
    plain_product,
)


class _Amount(str):
    """An amount, written without quotes."""

    __slots__ = ()


class _Dumper(yaml.SafeDumper):
    """YAML with amounts as plain numbers and no references."""

    def ignore_aliases(self, data: Any) -> bool:
        """Write everything out."""
        del data
        return True


def _amount(dumper: _Dumper, amount: _Amount) -> yaml.Node:
    kind = "float" if "." in amount else "int"
    return dumper.represent_scalar(f"tag:yaml.org,2002:{kind}", str(amount))


_Dumper.add_representer(_Amount, _amount)


def unpriced(document: CatalogFile) -> list[str]:
    """The plans that no file can hold: a draft that has no price cannot be published."""
    return [name for name, (_, part) in document.plans.items() if not part.prices]


def written(document: CatalogFile) -> str:
    """The file's text, without the plans that are ``unpriced``."""
    left_out = set(unpriced(document))
    content = {
        "features": {name: plain_feature(part) for name, part in document.features.items()},
        "products": {
            name: {
                **plain_product(part),
                "plans": {
                    plan: _plan(of, document)
                    for plan, of in part.plans.items()
                    if plan not in left_out
                },
            }
            for name, part in document.products.items()
        },
    }
    return yaml.dump(content, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)


def _plan(part: PlanPart, document: CatalogFile) -> Plain:
    words: Plain = part.model_dump(
        mode="json",
        by_alias=True,
        exclude_defaults=True,
        exclude={"prices", "entitlements"},
    )
    if part.license is not None:
        words["license"] = part.license.model_dump(
            mode="json", by_alias=True, exclude_defaults=True
        )
    types = {name: feature.type for name, feature in document.features.items()}
    granted = {
        name: _short(plain_details(details, types.get(name)), details)
        for name, details in part.entitlements.items()
    }
    prices = [_price(price) for price in part.prices]
    return {**words, "prices": prices, **({"entitlements": granted} if granted else {})}


def _short(words: Plain, details: DetailsPart) -> Any:
    if set(words) == {"value"}:
        return details.value
    return "unlimited" if words == {"hasUnlimitedUsage": True} else words


def _price(price: PricePart) -> Plain:
    words = {"currency": price.currency, **plain_price(price)}
    if words["type"] == "PAID":
        del words["type"]
    base, features = words.pop("base", {}), words.pop("features", {})
    if base:
        words["base"] = {period: _Amount(amount) for period, amount in base.items()}
    if features:
        words["features"] = {name: _row(row) for name, row in price.features.items()}
    return words


def _row(row: RowPart) -> Plain:
    words: Plain = row.model_dump(
        mode="json",
        by_alias=True,
        exclude_defaults=True,
        exclude={"charges", "minimum", "maximum"},
    )
    charges = {period.value: plain_charge(row, charge) for period, charge in row.charges.items()}
    for bound in ("minimum", "maximum"):
        values = {charge.get(bound) for charge in charges.values()}
        if len(values) == 1 and (common := values.pop()) is not None:
            words[bound] = common
            charges = {p: {k: v for k, v in c.items() if k != bound} for p, c in charges.items()}
    return {**words, "charges": {period: _charge(charge) for period, charge in charges.items()}}


def _charge(charge: Plain) -> Any:
    if set(charge) == {"amount"}:
        return _Amount(charge["amount"])
    return {key: _numbers(value) for key, value in charge.items()}


def _numbers(value: Any) -> Any:
    if isinstance(value, list):
        return [{key: _numbers(item) for key, item in tier.items()} for tier in value]
    return _Amount(value) if isinstance(value, str) and value != "inf" else value
