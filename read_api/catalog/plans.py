"""Queries about plans, their versions, prices and entitlements (wire 18.4)."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import msgspec
from fastapi import APIRouter, Response
from fastapi import Query as Parameter

from aggregates.plan.events import PlanVersionPublished
from aggregates.plan_migration.progress import PLAN_MIGRATION, migration_of
from kernel.errors import NotFound
from kernel.ids import natural_id
from projections.features import feature_bodies
from projections.plans import (
    NEWEST,
    ON_LIST,
    PLAN_VERSIONS,
    VersionOnFile,
    find_version,
    matching,
    of_plan,
    version_bodies,
)
from read_api.query import ListQuery, ServerList, ServerQuery
from wire.catalog.entitlement import details_out
from wire.catalog.migration import MigrationOut, migration_out
from wire.catalog.price import price_out
from wire.http import pages
from wire.http.documented import gives


class MigrationNotFound(NotFound):
    """No version of the plan was published for its subscribers."""

    code = "migration_not_found"


class PlanNotFound(NotFound):
    """No such plan, or it has no such version."""

    code = "plan_not_found"


Version = Annotated[
    int | None,
    Parameter(ge=1, lt=2**31, description="The number of a version; left out: the newest."),
]
router = APIRouter(prefix="/catalog/plans", tags=["Catalog"])


@router.get("/")
async def listed(query: ServerList, search: pages.Search = None) -> Response:
    """The newest version of each plan on sale or in the making, newest plan first."""
    conditions = (matching(search),) if search else ()
    return await query.page(PLAN_VERSIONS, NEWEST, ON_LIST, *conditions, sizes=pages.CATALOG)


@router.get("/{identifier}/")
async def one(identifier: str, query: ServerQuery, version: Version = None) -> Response:
    """One version of a plan, also of an archived one."""
    found = of_plan(natural_id(query.tenant.secret, "plan", identifier), version)
    body = await query.reader.first(PLAN_VERSIONS, query.tenant, *found)
    if body is None:
        raise PlanNotFound
    return Response(body, media_type="application/json")


@router.get("/{identifier}/versions/")
async def versions(identifier: str, query: ServerList) -> Response:
    """Every version of a plan, newest first."""
    plan = natural_id(query.tenant.secret, "plan", identifier)
    bodies = await version_bodies(query.reader, query.tenant, plan)
    if not bodies:
        raise PlanNotFound
    return query.page_of(bodies, sizes=pages.CATALOG)


@router.get("/{identifier}/migration/", responses=gives(MigrationOut))
async def migration(identifier: str, query: ServerQuery) -> Response:
    """How far the subscribers have moved to the newest version that was published for them."""
    plan = natural_id(query.tenant.secret, "plan", identifier)
    log = query.request.app.state.log
    facts = (await log.load(plan)).facts
    published = [fact for fact in facts if isinstance(fact, PlanVersionPublished)]
    moving = [fact for fact in published if fact.update_features or fact.update_pricing]
    if not moving:
        raise MigrationNotFound if facts else PlanNotFound
    progress = (await log.load(migration_of(plan, moving[-1].version))).facts
    body = migration_out(moving[-1], PLAN_MIGRATION.of(progress))
    return Response(msgspec.json.encode(body), media_type="application/json")


@router.get("/{identifier}/prices/")
async def prices(identifier: str, query: ServerList, version: Version = None) -> Response:
    """The prices of a version, one per currency."""
    found = await _version(query, identifier, version)
    bodies = [
        msgspec.json.encode(price_out(price, found.default_currency))
        for price in found.version.prices
    ]
    return query.page_of(bodies, sizes=pages.CATALOG)


@router.get("/{identifier}/features/")
async def features(identifier: str, query: ServerList, version: Version = None) -> Response:
    """What a version grants, with the features as they are now."""
    found = await _version(query, identifier, version)
    granted = found.version.entitlements
    ids = [entitlement.feature.id for entitlement in granted]
    records = await feature_bodies(query.reader, query.tenant, ids)
    bodies = [
        msgspec.json.encode(
            {
                "feature": msgspec.Raw(records[entitlement.feature.id]),
                "details": details_out(entitlement),
            }
        )
        for entitlement in granted
    ]
    return query.page_of(bodies, sizes=pages.CATALOG)


async def _version(query: ListQuery, identifier: str, version: int | None) -> VersionOnFile:
    plan: UUID = natural_id(query.tenant.secret, "plan", identifier)
    found = await find_version(query.reader, query.tenant, plan, version)
    if found is None:
        raise PlanNotFound
    return found
