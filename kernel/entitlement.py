"""Features and what a plan grants of them, in the words that facts of several kinds carry."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID


class FeatureType(StrEnum):
    """On or off, a number that is set, or a number that is used up (wire 18.2)."""

    BOOLEAN = "BOOLEAN"
    CUSTOMIZABLE = "CUSTOMIZABLE"
    METER = "METER"


class MeterKind(StrEnum):
    """Whether usage arrives as totals or as events to aggregate."""

    PRE_AGGREGATED_USAGE = "PRE_AGGREGATED_USAGE"
    RAW_EVENTS = "RAW_EVENTS"


class Reset(StrEnum):
    """How often used-up units come back (wire 18.3)."""

    NEVER = "NEVER"
    EVERY_DAY = "EVERY_DAY"
    EVERY_WEEK = "EVERY_WEEK"
    EVERY_28_DAYS = "EVERY_28_DAYS"
    EVERY_MONTH = "EVERY_MONTH"
    EVERY_QUARTER = "EVERY_QUARTER"
    EVERY_YEAR = "EVERY_YEAR"


class AlertThreshold(StrEnum):
    """Whether a usage alert counts percent of the limit or units left."""

    PERCENTAGE = "PERCENTAGE"
    BALANCE = "BALANCE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rollover:
    """Unused units that survive a reset: ``percentage`` of them, at most ``limit`` (wire 30.3)."""

    enabled: bool = False
    percentage: int = 0
    limit: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageAlerts:
    """When to tell that a limit comes near."""

    enabled: bool = False
    thresholds: tuple[int, ...] = ()
    threshold_type: AlertThreshold = AlertThreshold.PERCENTAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterWords:
    """What a METER feature counts, and in which units people read it.

    ``aggregation`` and ``filters`` say how raw events become usage; both empty for totals.
    """

    kind: MeterKind
    singular: str
    plural: str
    customer_unit: Any = None
    aggregation: dict[str, Any] = field(default_factory=dict)
    filters: list[Any] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureWords:
    """A feature as views and subscribers of the log show it."""

    id: UUID
    identifier: str
    name: str
    type: FeatureType
    modified_on: datetime
    description: str = ""
    meter: MeterWords | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    is_archived: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Entitlement:
    """What a plan version grants of one feature (wire 18.4).

    ``value`` is a bool for BOOLEAN, else units; None when ``unlimited``. ``extra`` keeps the keys
    that are passed through.
    """

    feature: FeatureWords
    value: bool | int | None = None
    unlimited: bool = False
    reset: Reset | None = None
    reset_time: str | None = None
    rollover: Rollover | None = None
    usage_alerts: UsageAlerts | None = None
    hard_limit: bool = False
    is_inherited: bool = False
    is_value_overridden: bool = False
    extra: dict[str, Any] = field(default_factory=dict)
