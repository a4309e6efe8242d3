"""The terms of a sale, for any handler that sells a plan: load, then ``aggregates.plan.pricing``.

``terms = await plan_terms(work, Wanted(plan="pro", period=..., currency=..., quantities=...))``
gives a ``kernel.offer.OfferTerms``: ``base`` and ``lines`` (Money), ``amount`` of one period,
``features`` with their unit prices, the ``entitlements`` to grant with quantities put in,
``trial_days``, and the words of plan, product, license and links that facts copy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID

from aggregates.feature.state import FEATURE
from aggregates.plan import state as plan_state
from aggregates.plan.pricing import Choice, chosen_price, plan_words, terms_of
from aggregates.plan.state import PLAN, Plan
from aggregates.plan.versions import PlanVersion
from aggregates.product import state as product_state
from aggregates.product.state import PRODUCT, Product
from commands.unit_of_work import UnitOfWork
from kernel.entitlement import FeatureWords
from kernel.errors import Invalid
from kernel.interval import ChargePeriod
from kernel.offer import OfferTerms


class UnknownPlan(Invalid):
    """There is no plan with this identifier on sale."""

    code = "unknown_plan"


class UnknownPlanVersion(Invalid):
    """The plan has no such version."""

    code = "unknown_plan_version"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a buyer asks for.

    ``currency`` None: the product's default, else the first priced. ``quantities`` by feature
    identifier; one left out counts with its minimum, else 1. ``version`` None: the one on sale now;
    a number: that version, even if the plan was archived since (subscribers keep theirs).
    """

    plan: str
    period: ChargePeriod
    currency: str | None = None
    quantities: Mapping[str, int] = field(default_factory=dict)
    version: int | None = None


async def plan_terms(work: UnitOfWork, wanted: Wanted) -> OfferTerms:
    """The terms of a sale.

    Raises UnknownPlan, UnknownPlanVersion, CurrencyNotPriced, PeriodNotOffered, SoldOnRequest,
    UnknownQuantity, QuantityOutOfRange.
    """
    plan = await work.load(PLAN, work.natural_id("plan", wanted.plan))
    if plan.product is None:
        raise UnknownPlan(f"There is no plan {wanted.plan!r}.")
    product = await work.load(PRODUCT, plan.product.id)
    version = _version(plan, product, wanted)
    price = chosen_price(version, wanted.currency, product.settings.currency)
    return terms_of(
        plan_words(plan.id, plan.identifier, version),
        product.words,
        version,
        Choice(price=price, period=wanted.period, quantities=wanted.quantities),
        await feature_words(work, version),
    )


def _version(plan: Plan, product: Product, wanted: Wanted) -> PlanVersion:
    if wanted.version is not None:
        kept = plan.version(wanted.version)
        if kept is None or not kept.is_published:
            raise UnknownPlanVersion(f"{wanted.plan} has no version {wanted.version} for sale.")
        return kept
    on_sale = plan.published
    archived = (
        plan.status is plan_state.Status.ARCHIVED or product.status is product_state.Status.ARCHIVED
    )
    if on_sale is None or archived:
        raise UnknownPlan(f"The plan {wanted.plan!r} is not on sale.")
    return on_sale


async def feature_words(work: UnitOfWork, version: PlanVersion) -> dict[UUID, FeatureWords]:
    """The present words of every feature that a version grants or prices."""
    granted = [entitlement.feature.id for entitlement in version.entitlements]
    priced = [row.feature for price in version.prices for row in price.rows if row.feature]
    words: dict[UUID, FeatureWords] = {}
    for feature_id in dict.fromkeys([*granted, *priced]):
        feature = await work.load(FEATURE, feature_id, guard=False)
        if feature.words is not None:
            words[feature_id] = feature.words
    return words
