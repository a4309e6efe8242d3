"""Finds catalog things by the id a client sent, in the client's own organization only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar
from uuid import UUID

from aggregates.feature.state import FEATURE
from aggregates.feature.state import Status as FeatureStatus
from aggregates.product.state import PRODUCT, Product
from aggregates.product.state import Status as ProductStatus
from commands.unit_of_work import UnitOfWork
from kernel.entitlement import FeatureWords
from kernel.errors import InvalidFields
from kernel.fold import Fold


S = TypeVar("S")


async def load_own(work: UnitOfWork, fold: Fold[S], stream: UUID) -> S:
    """The state of a stream of this organization; that of another one counts as absent."""
    state = await work.load(fold, stream)
    return state if work.owner(stream) == work.tenant.organization else fold.initial


async def product_for_plan(work: UnitOfWork, product_id: UUID) -> Product:
    """A product that a plan may be sold under. Raises InvalidFields."""
    product = await load_own(work, PRODUCT, product_id)
    if product.status is ProductStatus.ABSENT:
        raise InvalidFields({"product": [f"There is no product {product_id}."]})
    if product.status is ProductStatus.ARCHIVED:
        raise InvalidFields({"product": [f"The product {product.identifier} is archived."]})
    return product


async def features_for_plan(
    work: UnitOfWork, wanted: Iterable[UUID], *, field: str
) -> dict[UUID, FeatureWords]:
    """Features that a plan may price or grant. Raises InvalidFields, keyed by ``field``."""
    found: dict[UUID, FeatureWords] = {}
    problems: list[str] = []
    for feature_id in dict.fromkeys(wanted):
        feature = await load_own(work, FEATURE, feature_id)
        if feature.words is None:
            problems.append(f"There is no feature {feature_id}.")
        elif feature.status is FeatureStatus.ARCHIVED:
            problems.append(f"The feature {feature.words.identifier} is archived.")
        else:
            found[feature_id] = feature.words
    if problems:
        raise InvalidFields({field: problems})
    return found
