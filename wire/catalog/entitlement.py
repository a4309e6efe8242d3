"""What a plan grants, as clients write and read it (wire 18.4)."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from pydantic import ConfigDict, Field, StrictBool, model_validator

from kernel.entitlement import AlertThreshold, Entitlement, Reset, Rollover, UsageAlerts
from wire.base import In, Text
from wire.catalog.fields import Count, kept


class RolloverIn(In):
    """Unused units that survive a reset."""

    enabled: bool = False
    percentage: Annotated[int, Field(ge=0, le=100)] = 0
    limit: Count | None = None

    def value(self) -> Rollover:
        """As facts carry it."""
        return Rollover(enabled=self.enabled, percentage=self.percentage, limit=self.limit)


class UsageAlertsIn(In):
    """When to tell that a limit comes near."""

    enabled: bool = False
    thresholds: list[Count] = Field(default_factory=list, max_length=20)
    threshold_type: AlertThreshold = AlertThreshold.PERCENTAGE

    def value(self) -> UsageAlerts:
        """As facts carry it."""
        return UsageAlerts(
            enabled=self.enabled,
            thresholds=tuple(self.thresholds),
            threshold_type=self.threshold_type,
        )


class DetailsIn(In):
    """The conditions under which a feature is granted; unknown keys pass through."""

    model_config = ConfigDict(extra="allow")

    value: StrictBool | Count | None = None
    has_unlimited_usage: bool = False
    reset: Reset | None = None
    reset_time: Annotated[Text, Field(max_length=100)] | None = None
    rollover: RolloverIn | None = None
    usage_alerts: UsageAlertsIn | None = None
    hard_limit: bool = False
    is_inherited: bool = False
    is_value_overridden: bool = False

    @model_validator(mode="after")
    def _passed(self) -> DetailsIn:
        kept(self.model_extra or {})
        return self

    def fields(self, *, all_of_them: bool) -> dict[str, Any]:
        """Fields of an Entitlement: those the client named, or all with their defaults."""
        named = self.model_fields_set
        found = {
            field: value
            for name, (field, value) in self._values().items()
            if all_of_them or name in named
        }
        if self.model_extra:
            found["extra"] = dict(self.model_extra)
        return found

    def _values(self) -> dict[str, tuple[str, Any]]:
        return {
            "value": ("value", self.value),
            "has_unlimited_usage": ("unlimited", self.has_unlimited_usage),
            "reset": ("reset", self.reset),
            "reset_time": ("reset_time", self.reset_time),
            "rollover": ("rollover", self.rollover and self.rollover.value()),
            "usage_alerts": ("usage_alerts", self.usage_alerts and self.usage_alerts.value()),
            "hard_limit": ("hard_limit", self.hard_limit),
            "is_inherited": ("is_inherited", self.is_inherited),
            "is_value_overridden": ("is_value_overridden", self.is_value_overridden),
        }


class PlanEntitlementIn(In):
    """One feature to grant, by its id."""

    feature: UUID
    details: DetailsIn = DetailsIn()


class PlanEntitlementsIn(In):
    """Features to grant with a plan."""

    plan_entitlements: Annotated[list[PlanEntitlementIn], Field(min_length=1, max_length=200)]


class EntitlementChangeIn(In):
    """Other conditions for one granted feature."""

    details: DetailsIn


def details_out(granted: Entitlement) -> dict[str, Any]:
    """The ``details`` of an entitlement."""
    return {
        **granted.extra,
        "value": granted.value,
        "hasUnlimitedUsage": granted.unlimited,
        "reset": granted.reset,
        "resetTime": granted.reset_time,
        "rollover": rollover_out(granted.rollover),
        "usageAlerts": usage_alerts_out(granted.usage_alerts),
        "hardLimit": granted.hard_limit,
        "isInherited": granted.is_inherited,
        "isValueOverridden": granted.is_value_overridden,
    }


def rollover_out(rollover: Rollover | None) -> dict[str, Any] | None:
    """``rollover``, or null."""
    if rollover is None:
        return None
    return {
        "enabled": rollover.enabled,
        "percentage": rollover.percentage,
        "limit": rollover.limit,
    }


def usage_alerts_out(alerts: UsageAlerts | None) -> dict[str, Any] | None:
    """``usageAlerts``, or null."""
    if alerts is None:
        return None
    return {
        "enabled": alerts.enabled,
        "thresholds": list(alerts.thresholds),
        "thresholdType": alerts.threshold_type,
    }
