"""Finds what offerings, pricing tables and promotions speak of, in the own organization only."""

from __future__ import annotations

from uuid import UUID

from aggregates.feature.state import FEATURE
from aggregates.plan.state import PLAN, Plan
from aggregates.plan.state import Status as PlanStatus
from aggregates.pricing_table.state import PRICING_TABLE
from aggregates.product.state import PRODUCT
from aggregates.product.state import Status as ProductStatus
from aggregates.promotion.events import PromotedThing
from commands.catalog.lookup import load_own
from commands.unit_of_work import UnitOfWork
from kernel.errors import InvalidFields


async def table_to_show(work: UnitOfWork, table_id: UUID) -> None:
    """Raise InvalidFields unless the table can be shown by an offering."""
    table = await load_own(work, PRICING_TABLE, table_id)
    if table.content is None:
        raise InvalidFields({"pricingTableId": [f"There is no pricing table {table_id}."]})
    if table.archived:
        raise InvalidFields({"pricingTableId": [f"The pricing table {table_id} is archived."]})


async def plan_to_show(work: UnitOfWork, identifier: str) -> Plan:
    """A plan that is not archived, on sale or not yet. Raises InvalidFields."""
    plan = await work.load(PLAN, work.natural_id("plan", identifier))
    if plan.status is PlanStatus.ABSENT:
        raise InvalidFields({"plans": [f"There is no plan {identifier!r}."]})
    if plan.status is PlanStatus.ARCHIVED:
        raise InvalidFields({"plans": [f"The plan {identifier!r} is archived."]})
    return plan


async def require_feature(work: UnitOfWork, identifier: str) -> None:
    """Raise InvalidFields unless there is such a feature."""
    feature = await work.load(FEATURE, work.natural_id("feature", identifier), guard=False)
    if feature.words is None:
        raise InvalidFields({"plans": [f"There is no feature {identifier!r}."]})


async def promoted_product(work: UnitOfWork, wanted: str) -> PromotedThing:
    """A product by identifier or id. Raises InvalidFields."""
    product = await load_own(work, PRODUCT, _stream(work, "product", wanted))
    if product.status is not ProductStatus.ACTIVE:
        raise InvalidFields({"products": [f"There is no product {wanted!r}."]})
    return PromotedThing(id=product.id, identifier=product.identifier)


async def promoted_plan(work: UnitOfWork, identifier: str) -> PromotedThing:
    """A plan by its identifier. Raises InvalidFields."""
    plan = await plan_to_show(work, identifier)
    return PromotedThing(id=plan.id, identifier=plan.identifier)


def _stream(work: UnitOfWork, kind: str, wanted: str) -> UUID:
    try:
        return UUID(wanted)
    except ValueError:
        return work.natural_id(kind, wanted)
