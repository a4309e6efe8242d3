"""What an entitlement must satisfy for the type of its feature (wire 18.3, 18.4, 21)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kernel.entitlement import AlertThreshold, Entitlement, FeatureType, UsageAlerts
from kernel.errors import InvalidFields
from kernel.money import MAX_UNITS


def checked_entitlement(entitlement: Entitlement) -> Entitlement:
    """The entitlement in the form it is kept in. Raises InvalidFields.

    BOOLEAN is granted unless it says false; a METER without a value grants 0 units, to be bought
    as a quantity; CUSTOMIZABLE must say its number or be unlimited.
    """
    problems = [*_value_problems(entitlement), *_rollover_problems(entitlement)]
    if entitlement.usage_alerts is not None:
        problems += _alert_problems(entitlement.usage_alerts)
    if problems:
        identifier = entitlement.feature.identifier
        raise InvalidFields({"details": [f"{identifier}: {problem}" for problem in problems]})
    if entitlement.unlimited:
        return replace(entitlement, value=None)
    if entitlement.value is None:
        boolean = entitlement.feature.type is FeatureType.BOOLEAN
        return replace(entitlement, value=True if boolean else 0)
    return entitlement


def _value_problems(entitlement: Entitlement) -> Iterator[str]:
    value, of = entitlement.value, entitlement.feature.type
    if of is FeatureType.BOOLEAN:
        if entitlement.unlimited:
            yield "a BOOLEAN feature cannot be unlimited."
        if value is not None and not isinstance(value, bool):
            yield "value must be true or false."
        return
    if isinstance(value, bool):
        yield "value must be a whole number."
    elif value is not None and not 0 <= value < MAX_UNITS:
        yield "value is out of range."
    if value is None and not entitlement.unlimited and of is FeatureType.CUSTOMIZABLE:
        yield "value is required, or hasUnlimitedUsage."


def _rollover_problems(entitlement: Entitlement) -> Iterator[str]:
    rollover = entitlement.rollover
    if rollover is None:
        return
    if not 0 <= rollover.percentage <= 100:
        yield "rollover.percentage must be from 0 to 100."
    if rollover.limit is not None and rollover.limit < 0:
        yield "rollover.limit must not be negative."


def _alert_problems(alerts: UsageAlerts) -> Iterator[str]:
    percent = alerts.threshold_type is AlertThreshold.PERCENTAGE
    for threshold in alerts.thresholds:
        if threshold < 1 or (percent and threshold > 100):
            yield f"usageAlerts: {threshold} is not a threshold of this type."
