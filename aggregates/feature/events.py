"""Facts about a feature."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from kernel.entitlement import FeatureType, MeterWords


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureWording:
    """What may change about a feature: its words, never its type."""

    name: str
    description: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureCreated:
    """A feature entered the catalog; identifier, type and meter are fixed from now on."""

    feature_id: UUID
    identifier: str
    type: FeatureType
    meter: MeterWords | None
    wording: FeatureWording
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureReworded:
    """Name, description or metadata changed."""

    feature_id: UUID
    wording: FeatureWording
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureArchived:
    """No plan can grant it any more; plans that do so already go on."""

    feature_id: UUID
    occurred_at: datetime


FeatureEvent = FeatureCreated | FeatureReworded | FeatureArchived
