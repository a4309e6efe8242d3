"""The terms of a sale, for any handler that sells a plan: load, then ``aggregates.plan.pricing``.

``terms = await plan_terms(work, Wanted(plan="pro", period=..., currency=..., quantities=...))``
gives a ``kernel.offer.OfferTerms``: ``base`` and ``lines`` (Money), ``amount`` of one period,
``features`` with their unit prices, the ``entitlements`` to grant with quantities put in,
``trial_days``, and the words of plan, product, license and links that facts copy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
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
from kernel.offer import OfferTerms, PlanWords, ProductWords
from kernel.price import PaymentType, Price


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
    ``feature_version`` grants what another version does. ``kept`` are quantities that count where
    the plan sells them, unless ``quantities`` says otherwise. ``is_agreed``: there is a price
    of its own, as a plan that is sold on request needs.
    """

    plan: str
    period: ChargePeriod
    currency: str | None = None
    quantities: Mapping[str, int] = field(default_factory=dict)
    version: int | None = None
    feature_version: int | None = None
    kept: Mapping[str, int] = field(default_factory=dict)
    is_agreed: bool = False


async def plan_terms(work: UnitOfWork, wanted: Wanted) -> OfferTerms:
    """The terms of a sale.

    Raises UnknownPlan, UnknownPlanVersion, CurrencyNotPriced, PeriodNotOffered, SoldOnRequest,
    UnknownQuantity, QuantityOutOfRange.
    """
    plan, product = await _known(work, wanted.plan)
    version = _version(plan, product, wanted)
    price = chosen_price(version, wanted.currency, product.settings.currency)
    if wanted.feature_version is not None:
        granting = _published(plan, wanted.feature_version)
        version = replace(version, entitlements=granting.entitlements)
    words = await feature_words(work, version)
    quantities = {**_sold(price, wanted.kept, words), **wanted.quantities}
    return terms_of(
        plan_words(plan.id, plan.identifier, version),
        product.words,
        version,
        Choice(
            price=price,
            period=wanted.period,
            quantities=quantities,
            is_agreed=wanted.is_agreed,
        ),
        words,
    )


@dataclass(frozen=True, slots=True)
class OnSale:
    """A plan that can be bought now: its version with prices and words, the usual currency."""

    plan: PlanWords
    product: ProductWords
    version: PlanVersion
    features: Mapping[UUID, FeatureWords]
    currency: str | None


async def on_sale(work: UnitOfWork, identifier: str) -> OnSale:
    """The version of a plan that is sold now. Raises UnknownPlan."""
    plan, product = await _known(work, identifier)
    version = _version(plan, product, Wanted(plan=identifier, period=ChargePeriod.ONE_TIME))
    words = plan_words(plan.id, plan.identifier, version)
    features = await feature_words(work, version)
    return OnSale(words, product.words, version, features, product.settings.currency)


async def _known(work: UnitOfWork, identifier: str) -> tuple[Plan, Product]:
    plan = await work.load(PLAN, work.natural_id("plan", identifier))
    if plan.product is None:
        raise UnknownPlan(f"There is no plan {identifier!r}.")
    return plan, await work.load(PRODUCT, plan.product.id)


def _sold(
    price: Price, quantities: Mapping[str, int], words: Mapping[UUID, FeatureWords]
) -> dict[str, int]:
    """The quantities of features that this price sells ahead."""
    ahead = (row for row in price.rows if row.payment is PaymentType.ADVANCE_COMMITMENT)
    sold = {words[row.feature].identifier for row in ahead if row.feature is not None}
    return {name: quantity for name, quantity in quantities.items() if name in sold}


def _published(plan: Plan, number: int) -> PlanVersion:
    kept = plan.version(number)
    if kept is None or not kept.is_published:
        raise UnknownPlanVersion(f"{plan.identifier} has no version {number} for sale.")
    return kept


def _version(plan: Plan, product: Product, wanted: Wanted) -> PlanVersion:
    if wanted.version is not None:
        return _published(plan, wanted.version)
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
