"""Finds published plans with the present words of their products and features."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

import msgspec

from kernel.tenant import Tenant
from projections.features import feature_bodies
from projections.plans import version_of
from projections.reader import Condition, Reader
from wire.monetization.plans import PlanOnSale


_decode = msgspec.json.Decoder(dict[str, Any]).decode
_SQL = (
    "SELECT t.plan_id, t.identifier, p.product_id, r.currency, t.doc "
    "FROM plan_versions t JOIN plans p ON p.id = t.plan_id JOIN products r ON r.id = p.product_id "
    "WHERE t.organization = %s AND t.version = p.published_version "
    "AND NOT p.archived AND NOT r.archived AND {condition} ORDER BY t.created, t.plan_id"
)
EVERYTHING = Condition("true")


def of_ids(plans: Iterable[UUID]) -> Condition:
    """Some plans, by id."""
    return Condition("t.plan_id = ANY(%s::uuid[])", (list(plans),))


def of_product(product: UUID) -> Condition:
    """All plans of a product."""
    return Condition("p.product_id = %s", (product,))


async def plans_on_sale(reader: Reader, tenant: Tenant, wanted: Condition) -> list[PlanOnSale]:
    """The plans that are published and not archived, in the order the merchant gave them."""
    sql = _SQL.format(condition=wanted.sql)
    rows = await reader.rows(sql, (tenant.organization, *wanted.parameters))
    plans = [
        PlanOnSale(plan, identifier, product, currency, version_of(_decode(doc)), {})
        for plan, identifier, product, currency, doc in rows
    ]
    plans.sort(key=lambda plan: (plan.version.wording.ordering is None, _ordering(plan)))
    return await _with_features(reader, tenant, plans)


def _ordering(plan: PlanOnSale) -> int:
    return plan.version.wording.ordering or 0


async def _with_features(
    reader: Reader, tenant: Tenant, plans: Sequence[PlanOnSale]
) -> list[PlanOnSale]:
    granted = {e.feature.id for plan in plans for e in plan.version.entitlements}
    priced = {
        row.feature
        for plan in plans
        for price in plan.version.prices
        for row in price.rows
        if row.feature is not None
    }
    bodies = await feature_bodies(reader, tenant, granted | priced)
    records = {key: _decode(body) for key, body in bodies.items()}
    return [replace(plan, features=records) for plan in plans]
