"""Reads a catalog file, and says where it is wrong and what was expected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from adapters.cannot_start import CannotStart
from app.catalog_file.document import CatalogFile, PlanPart
from kernel.entitlement import FeatureType
from kernel.errors import Refused
from kernel.money import exponent


class _Loader(yaml.SafeLoader):
    """YAML with exact amounts, and without keys that silently win over earlier ones."""


def _decimal(loader: _Loader, node: yaml.ScalarNode) -> Decimal:
    text = loader.construct_scalar(node).replace("_", "").lower()
    return Decimal(text.replace(".inf", "inf").replace(".nan", "nan"))


def _mapping(loader: _Loader, node: yaml.MappingNode) -> dict[Any, Any]:
    loader.flatten_mapping(node)
    keys = [loader.construct_object(key, deep=True) for key, _ in node.value]
    twice = [key for key, count in Counter(map(str, keys)).items() if count > 1]
    if twice:
        place = f"line {node.start_mark.line + 1}"
        raise yaml.MarkedYAMLError(problem=f"the mapping in {place} has {twice[0]!r} twice")
    return {
        key: loader.construct_object(value, deep=True)
        for key, (_, value) in zip(keys, node.value, strict=True)
    }


_Loader.add_constructor("tag:yaml.org,2002:float", _decimal)
_Loader.add_constructor("tag:yaml.org,2002:map", _mapping)


def read(path: Path) -> CatalogFile:
    """The file. Raises CannotStart with one line per problem: file, place in it, expectation."""
    try:
        content = yaml.load(path.read_text(encoding="utf-8"), _Loader)  # noqa: S506 a SafeLoader
    except OSError as error:
        raise CannotStart(f"{path}: {error.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError, ArithmeticError, RecursionError) as error:
        raise CannotStart(f"{path}: not YAML: {_in_one_line(error)}") from None
    if not isinstance(content, dict):
        raise CannotStart(f"{path}: a mapping with features and products was expected")
    try:
        document = CatalogFile.model_validate(content)
    except ValidationError as error:
        raise CannotStart("\n".join(f"{path}: {line}" for line in _lines(error))) from None
    if problems := list(_contradictions(document)):
        raise CannotStart("\n".join(f"{path}: {problem}" for problem in problems))
    return document


def _in_one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def _lines(error: ValidationError) -> Iterator[str]:
    for fault in error.errors():
        place = ".".join(str(part) for part in fault["loc"] if "function" not in str(part))
        yield f"{place}: {_expectation(fault)}"


def _expectation(fault: Mapping[str, Any]) -> str:
    if fault["type"] == "extra_forbidden":
        return "there is no such key"
    if fault["type"] == "missing":
        return "is required"
    message: str = fault["msg"].removeprefix("Value error, ")
    return f"{message}, not {fault['input']!r}" if _is_plain(fault["input"]) else message


def _is_plain(value: Any) -> bool:
    return isinstance(value, str | int | Decimal | bool) and len(str(value)) < 80


def _contradictions(document: CatalogFile) -> Iterator[str]:
    """What the shape alone cannot tell."""
    for identifier, feature in document.features.items():
        if feature.type is FeatureType.METER and feature.units is None:
            yield f"features.{identifier}.units: is required for a METER feature"
    counted = Counter(plan for product in document.products.values() for plan in product.plans)
    for plan, count in counted.items():
        if count > 1:
            yield f"products: the plan {plan} is in more than one product"
    for identifier, (owner, part) in document.plans.items():
        for place, problem in _price_contradictions(part):
            yield f"products.{owner}.plans.{identifier}.prices{place}: {problem}"


def _price_contradictions(plan: PlanPart) -> Iterator[tuple[str, str]]:
    if not plan.prices:
        yield "", "at least one price is required"
    seen: set[str] = set()
    for number, price in enumerate(plan.prices):
        if price.currency in seen:
            yield "", f"{price.currency} is priced twice"
        seen.add(price.currency)
        try:
            exponent(price.currency)
        except Refused as refusal:
            yield f".{number}.currency", refusal.message
