"""What an event comes to on a meter that counts RAW_EVENTS (wire 22)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from operator import ge, gt, le, lt
from typing import Any, Final


class Function(StrEnum):
    """How events are put together; the words a meter's ``aggregation.function`` may have."""

    COUNT = "COUNT"
    SUM = "SUM"
    MAX = "MAX"
    LATEST = "LATEST"
    UNIQUE = "UNIQUE"


@dataclass(frozen=True, slots=True)
class Occurrence:
    """An event as meters see it. ``at`` is when it happened, by the sender's clock."""

    name: str
    at: datetime
    properties: Mapping[str, Any]

    def field(self, name: str) -> Any:
        """A property, or the event's name as ``eventName``; None when there is none."""
        return self.name if name == "eventName" else self.properties.get(name)


def feeds(event: Occurrence, identifier: str, filters: list[Any]) -> bool:
    """Whether the event counts on a meter.

    It names the feature in ``properties.featureId``; or all of the meter's filters let it pass; or
    it is named like the feature, when there are no filters.
    """
    named = event.properties.get("featureId")
    if named is not None:
        return bool(named == identifier) and all(_passes(event, one) for one in filters)
    if filters:
        return all(_passes(event, one) for one in filters)
    return event.name == identifier


def _one_of(found: Any, wanted: Any) -> bool:
    return isinstance(wanted, list) and found in wanted


_COMPARE: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "EQUALS": lambda found, wanted: bool(found == wanted),
    "NOT_EQUALS": lambda found, wanted: bool(found != wanted),
    "IN": _one_of,
    "NOT_IN": lambda found, wanted: isinstance(wanted, list) and found not in wanted,
}
_ORDER: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "GREATER_THAN": gt,
    "GREATER_OR_EQUAL": ge,
    "LESS_THAN": lt,
    "LESS_OR_EQUAL": le,
}


def _passes(event: Occurrence, one: Any) -> bool:
    """A filter {field, operator, value}; one of another form lets nothing pass."""
    if not isinstance(one, dict) or not isinstance(one.get("field"), str) or "value" not in one:
        return False
    operator, wanted = str(one.get("operator", "EQUALS")).upper(), one["value"]
    found = event.field(one["field"])
    if compare := _COMPARE.get(operator):
        return compare(found, wanted)
    order = _ORDER.get(operator)
    comparable = _is_number(found) and _is_number(wanted)
    return order is not None and comparable and order(found, wanted)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def function_of(aggregation: Mapping[str, Any]) -> Function | None:
    """The function a meter names, in either case; None for one that nobody knows."""
    named = str(aggregation.get("function", "")).upper()
    return next((function for function in Function if function == named), None)


def units_of(event: Occurrence, aggregation: Mapping[str, Any]) -> int | None:
    """The whole number in the meter's field; None when there is none: it adds nothing then."""
    found = event.field(str(aggregation.get("field", "")))
    if isinstance(found, float) and found.is_integer():
        found = int(found)
    return found if isinstance(found, int) and not isinstance(found, bool) else None
