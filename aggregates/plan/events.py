"""Facts about a plan and its versions."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from kernel.entitlement import Entitlement, FeatureWords
from kernel.offer import NO_LICENSE, LicenseTerms, Link, PlanFile, ProductWords
from kernel.price import Price


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanWording:
    """What people read about a plan version, and what comes with it besides features."""

    name: str
    description: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    is_visible: bool = True
    ordering: int | None = None
    license: LicenseTerms = NO_LICENSE
    links: tuple[Link, ...] = ()
    files: tuple[PlanFile, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanCreated:
    """A plan entered the catalog as a draft of version 1; nothing of it is on sale yet."""

    plan_id: UUID
    identifier: str
    product: ProductWords
    wording: PlanWording
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanDraftOpened:
    """A new version began as a copy of the published one, which stays on sale meanwhile."""

    plan_id: UUID
    version: int
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanDraftReworded:
    """The words of the draft changed."""

    plan_id: UUID
    version: int
    wording: PlanWording
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanDraftPriced:
    """The draft got a whole new set of prices, one per currency.

    ``features`` are the words of the features that the prices speak of.
    """

    plan_id: UUID
    version: int
    prices: tuple[Price, ...]
    features: tuple[FeatureWords, ...]
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanEntitlementsAdded:
    """The draft grants more features; one it grants already is replaced."""

    plan_id: UUID
    version: int
    entitlements: tuple[Entitlement, ...]
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanEntitlementChanged:
    """The draft grants a feature under other conditions."""

    plan_id: UUID
    version: int
    entitlement: Entitlement
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanEntitlementRemoved:
    """The draft no longer grants a feature."""

    plan_id: UUID
    version: int
    feature_id: UUID
    feature_identifier: str
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanDraftDiscarded:
    """The draft was dropped; its number will be used by the next one."""

    plan_id: UUID
    version: int
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanVersionPublished:
    """The draft went on sale; subscribers of older versions stay on theirs.

    ``update_features`` and ``update_pricing`` ask to move them in that part.
    """

    plan_id: UUID
    version: int
    update_features: bool
    update_pricing: bool
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanArchived:
    """No version is on sale any more; subscribers keep theirs."""

    plan_id: UUID
    occurred_at: datetime


PlanEvent = (
    PlanCreated
    | PlanDraftOpened
    | PlanDraftReworded
    | PlanDraftPriced
    | PlanEntitlementsAdded
    | PlanEntitlementChanged
    | PlanEntitlementRemoved
    | PlanDraftDiscarded
    | PlanVersionPublished
    | PlanArchived
)
