"""Decisions about a plan: every change of a published version goes to a draft that copies it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from aggregates.plan.entitlement_rules import checked_entitlement
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
from aggregates.plan.price_rules import checked_prices
from aggregates.plan.state import Plan, Status
from aggregates.plan.versions import PlanVersion
from kernel.entitlement import Entitlement, FeatureWords
from kernel.errors import Conflict, Invalid, NotFound
from kernel.offer import ProductWords
from kernel.ports.payments import ProviderTerms
from kernel.price import Price, PriceType


class PlanNotFound(NotFound):
    """No such plan."""

    code = "plan_not_found"


class PlanExists(Conflict):
    """A plan with this identifier exists already."""

    code = "plan_exists"


class PlanAlreadyArchived(Invalid):
    """The plan is archived already."""

    code = "plan_already_archived"


class PlanAlreadyPublished(Invalid):
    """The latest version of the plan is published already."""

    code = "plan_already_published"


class PlanHasNoDraft(Invalid):
    """The latest version of the plan is published: there is no draft to discard."""

    code = "plan_has_no_draft"


class PlanNeverPublished(Invalid):
    """The plan was never published: there is no version to go back to. Archive it instead."""

    code = "plan_never_published"


class PlanHasNoPrice(Invalid):
    """The plan has no price that is enabled: set its prices before publishing it."""

    code = "plan_has_no_price"


class CurrencyNotCovered(Invalid):
    """The plan has no price in the default currency of its product."""

    code = "currency_not_covered"


class EntitlementNotFound(NotFound):
    """The plan does not grant this feature."""

    code = "entitlement_not_found"


def create(
    state: Plan,
    *,
    at: datetime,
    plan_id: UUID,
    identifier: str,
    product: ProductWords,
    wording: PlanWording,
) -> list[PlanEvent]:
    """Enter a plan as a draft; an identifier is never used twice, not even after archiving."""
    if state.status is not Status.ABSENT:
        raise PlanExists(f"A plan with the identifier {identifier!r} exists already.")
    return [
        PlanCreated(
            plan_id=plan_id,
            identifier=identifier,
            product=product,
            wording=wording,
            occurred_at=at,
        )
    ]


def reword(state: Plan, *, at: datetime, wording: PlanWording) -> list[PlanEvent]:
    """Change the words of the draft; the same words change nothing."""
    newest = require_active(state)
    if wording == newest.wording:
        return []
    number, opened = _draft(state, newest, at)
    changed = PlanDraftReworded(plan_id=state.id, version=number, wording=wording, occurred_at=at)
    return [*opened, changed]


def set_prices(
    state: Plan,
    *,
    at: datetime,
    prices: Sequence[Price],
    features: Mapping[UUID, FeatureWords],
) -> list[PlanEvent]:
    """Replace all prices of the draft, or none (wire 18.4); the same ones change nothing."""
    newest = require_active(state)
    checked = checked_prices(prices, features)
    if checked == newest.prices:
        return []
    number, opened = _draft(state, newest, at)
    priced = PlanDraftPriced(
        plan_id=state.id,
        version=number,
        prices=checked,
        features=tuple(features.values()),
        occurred_at=at,
    )
    return [*opened, priced]


def add_entitlements(
    state: Plan, *, at: datetime, entitlements: Sequence[Entitlement]
) -> list[PlanEvent]:
    """Grant features; those that are granted just so already change nothing."""
    newest = require_active(state)
    new = tuple(
        entitlement
        for entitlement in map(checked_entitlement, entitlements)
        if not _same(newest.entitlement_to(entitlement.feature.identifier), entitlement)
    )
    if not new:
        return []
    number, opened = _draft(state, newest, at)
    added = PlanEntitlementsAdded(
        plan_id=state.id, version=number, entitlements=new, occurred_at=at
    )
    return [*opened, added]


def change_entitlement(state: Plan, *, at: datetime, entitlement: Entitlement) -> list[PlanEvent]:
    """Grant a granted feature under other conditions; the same ones change nothing."""
    newest = require_active(state)
    entitlement = checked_entitlement(entitlement)
    known = granted(newest, entitlement.feature.identifier)
    if _same(known, entitlement):
        return []
    number, opened = _draft(state, newest, at)
    changed = PlanEntitlementChanged(
        plan_id=state.id, version=number, entitlement=entitlement, occurred_at=at
    )
    return [*opened, changed]


def remove_entitlement(state: Plan, *, at: datetime, feature: str) -> list[PlanEvent]:
    """Stop granting a feature, by its identifier (spec: Plan entitlements)."""
    newest = require_active(state)
    known = granted(newest, feature)
    number, opened = _draft(state, newest, at)
    removed = PlanEntitlementRemoved(
        plan_id=state.id,
        version=number,
        feature_id=known.feature.id,
        feature_identifier=feature,
        occurred_at=at,
    )
    return [*opened, removed]


def discard(state: Plan, *, at: datetime) -> list[PlanEvent]:
    """Drop the draft and go back to the published version."""
    newest = require_active(state)
    if newest.is_published:
        raise PlanHasNoDraft
    if state.published is None:
        raise PlanNeverPublished
    return [PlanDraftDiscarded(plan_id=state.id, version=newest.number, occurred_at=at)]


def publish(
    state: Plan,
    *,
    at: datetime,
    default_currency: str | None,
    provider: ProviderTerms,
    update_features: bool = False,
    update_pricing: bool = False,
) -> list[PlanEvent]:
    """Put the draft on sale (wire 18.4).

    ``default_currency`` of the product must be priced if there is one; a PAID plan
    needs a payment provider (design 8: else 428).
    """
    newest = require_active(state)
    if newest.is_published:
        raise PlanAlreadyPublished
    _require_sellable(newest, default_currency)
    if any(price.type is PriceType.PAID for price in newest.prices):
        provider.require()
    return [
        PlanVersionPublished(
            plan_id=state.id,
            version=newest.number,
            update_features=update_features,
            update_pricing=update_pricing,
            occurred_at=at,
        )
    ]


def _require_sellable(version: PlanVersion, default_currency: str | None) -> None:
    enabled = [p for p in version.prices if p.enabled or p.currency == default_currency]
    if not enabled:
        raise PlanHasNoPrice
    if default_currency is None or any(p.type is PriceType.FREE for p in enabled):
        return
    if all(price.currency != default_currency for price in enabled):
        raise CurrencyNotCovered(f"The plan has no price in {default_currency}.")


def archive(state: Plan, *, at: datetime) -> list[PlanEvent]:
    """Take all versions out of sale; a second time is refused (wire 18.4)."""
    require_active(state)
    return [PlanArchived(plan_id=state.id, occurred_at=at)]


def require_active(state: Plan) -> PlanVersion:
    """The newest version of a plan in use. Raises PlanNotFound, PlanAlreadyArchived."""
    newest = state.newest
    if newest is None:
        raise PlanNotFound
    if state.status is Status.ARCHIVED:
        raise PlanAlreadyArchived
    return newest


def _draft(state: Plan, newest: PlanVersion, at: datetime) -> tuple[int, list[PlanEvent]]:
    """The number of the draft, and the fact that opens it when there is none."""
    if not newest.is_published:
        return newest.number, []
    number = newest.number + 1
    return number, [PlanDraftOpened(plan_id=state.id, version=number, occurred_at=at)]


def granted(version: PlanVersion, feature: str) -> Entitlement:
    """What a version grants of a feature. Raises EntitlementNotFound."""
    known = version.entitlement_to(feature)
    if known is None:
        raise EntitlementNotFound(f"The plan does not grant the feature {feature!r}.")
    return known


def _same(known: Entitlement | None, new: Entitlement) -> bool:
    """Whether the conditions are the same; a feature renamed meanwhile does not count."""
    if known is None or known.feature.id != new.feature.id:
        return False
    return replace(known, feature=new.feature) == new
