"""The versions of a plan as its facts tell them: one fold for decisions and for views."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import assert_never

from aggregates.plan.events import (
    PlanArchived,
    PlanCreated,
    PlanDraftDiscarded,
    PlanDraftOpened,
    PlanDraftPriced,
    PlanDraftReworded,
    PlanEntitlementChanged,
    PlanEntitlementRemoved,
    PlanEntitlementsAdded,
    PlanEvent,
    PlanVersionPublished,
    PlanWording,
)
from kernel.entitlement import Entitlement
from kernel.price import Price


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanVersion:
    """One version: a draft until it is published, and never changed after that."""

    number: int
    wording: PlanWording
    prices: tuple[Price, ...] = ()
    entitlements: tuple[Entitlement, ...] = ()
    is_published: bool = False
    created_on: datetime
    modified_on: datetime

    def entitlement_to(self, feature: str) -> Entitlement | None:
        """What is granted of a feature, by its identifier."""
        return next((e for e in self.entitlements if e.feature.identifier == feature), None)


Versions = tuple[PlanVersion, ...]


def changed_versions(versions: Versions, fact: PlanEvent) -> Versions:
    """The versions after one more fact, oldest first; total and free of rules."""
    match fact:
        case PlanCreated():
            return (_first(fact),)
        case PlanDraftOpened():
            return (*versions, _copy(versions[-1], fact)) if versions else versions
        case PlanDraftDiscarded():
            return tuple(v for v in versions if v.number != fact.version)
        case PlanArchived():
            return versions
        case _:
            return tuple(
                _changed(version, fact) if version.number == fact.version else version
                for version in versions
            )


def _first(fact: PlanCreated) -> PlanVersion:
    return PlanVersion(
        number=1,
        wording=fact.wording,
        created_on=fact.occurred_at,
        modified_on=fact.occurred_at,
    )


def _copy(source: PlanVersion, fact: PlanDraftOpened) -> PlanVersion:
    return replace(
        source,
        number=fact.version,
        is_published=False,
        created_on=fact.occurred_at,
        modified_on=fact.occurred_at,
    )


DraftChange = (
    PlanDraftReworded
    | PlanDraftPriced
    | PlanEntitlementsAdded
    | PlanEntitlementChanged
    | PlanEntitlementRemoved
    | PlanVersionPublished
)


def _changed(version: PlanVersion, fact: DraftChange) -> PlanVersion:
    at = fact.occurred_at
    match fact:
        case PlanDraftReworded():
            return replace(version, wording=fact.wording, modified_on=at)
        case PlanDraftPriced():
            return replace(version, prices=fact.prices, modified_on=at)
        case PlanEntitlementsAdded():
            granted = _granted(version.entitlements, fact.entitlements)
            return replace(version, entitlements=granted, modified_on=at)
        case PlanEntitlementChanged():
            granted = _granted(version.entitlements, (fact.entitlement,))
            return replace(version, entitlements=granted, modified_on=at)
        case PlanEntitlementRemoved():
            left = tuple(e for e in version.entitlements if e.feature.id != fact.feature_id)
            return replace(version, entitlements=left, modified_on=at)
        case PlanVersionPublished():
            return replace(version, is_published=True, modified_on=at)
        case _:
            assert_never(fact)


def _granted(
    known: tuple[Entitlement, ...], new: tuple[Entitlement, ...]
) -> tuple[Entitlement, ...]:
    by_feature = {entitlement.feature.id: entitlement for entitlement in (*known, *new)}
    return tuple(by_feature.values())
