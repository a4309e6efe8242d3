"""Queries of merchants about licenses (wire 3)."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Response

from aggregates.license.refusals import LicenseNotFound
from projections import licenses
from projections.license_checks import key_stream
from projections.reader import Condition
from read_api.query import ServerList, ServerQuery
from wire.http import filters
from wire.http.documented import Page, gives
from wire.http.pages import Search
from wire.license import InstanceOut, LicenseRecordOut


router = APIRouter(prefix="/licenses", tags=["Licenses"])


async def conditions(
    search: Search = None, subscription_id: UUID | None = None
) -> tuple[Condition, ...]:
    """Free text, and whose key it came with."""
    text = (licenses.matching(search),) if search else ()
    sold = () if subscription_id is None else (licenses.of_subscription(subscription_id),)
    return (*text, *sold)


@router.get("/", responses=gives(Page[LicenseRecordOut]))
async def listed(
    query: ServerList,
    narrowed: Annotated[tuple[Condition, ...], Depends(conditions)],
    customer_id: filters.CustomerId = None,
    license_key: str | None = None,
    status: filters.Words = None,
) -> Response:
    """All licenses, newest first; ``license_key`` finds the one that has this key now."""
    chosen = filters.words(status, licenses.STATUSES, "status")
    counted = {"status": chosen} if chosen else {}
    whose = [licenses.of_customer(query.natural_id("customer", customer_id))] if customer_id else []
    if license_key:
        whose.append(licenses.with_key(key_stream(query.tenant, license_key)))
    return await query.page(licenses.LICENSES, *narrowed, *whose, buckets=counted)


@router.get("/{license_id}/", responses=gives(LicenseRecordOut))
async def one(license_id: str, query: ServerQuery) -> Response:
    """One license."""
    refusal = LicenseNotFound()
    return await query.one(licenses.LICENSES, filters.uuid_of(license_id, refusal), refusal)


@router.get("/{license_id}/instances/", responses=gives(Page[InstanceOut]))
async def instances(license_id: str, query: ServerList) -> Response:
    """The instances that use a license, newest first."""
    refusal = LicenseNotFound()
    key = filters.uuid_of(license_id, refusal)
    await query.one(licenses.LICENSES, key, refusal)
    return await query.page(licenses.INSTANCES, *licenses.used_by(key))
