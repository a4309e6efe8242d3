"""Queries about pricing tables (design 13)."""

from __future__ import annotations

from fastapi import APIRouter, Response

from kernel.errors import NotFound
from kernel.publication import Publication
from projections.pricing_tables import PRICING_TABLES
from projections.publications import with_status
from read_api.query import ServerList, ServerQuery
from wire.http import filters
from wire.http.documented import Page, gives
from wire.monetization.pricing_table import PricingTableOut


router = APIRouter(prefix="/monetization/pricing-tables", tags=["Monetization"])
STATUSES = [status.value for status in Publication]
IN_USE = [Publication.DRAFT.value, Publication.ACTIVE.value]


class PricingTableNotFound(NotFound):
    """No such pricing table."""

    code = "pricing_table_not_found"


@router.get("/", responses=gives(Page[PricingTableOut]))
async def listed(query: ServerList, status: filters.Words = None) -> Response:
    """All pricing tables, newest first; archived ones only when ``status`` asks for them."""
    wanted = filters.words(status, STATUSES, "status") or IN_USE
    return await query.page(PRICING_TABLES, with_status(wanted))


@router.get("/{table_id}/", responses=gives(PricingTableOut))
async def one(table_id: str, query: ServerQuery) -> Response:
    """One pricing table, also an archived one."""
    key = filters.uuid_of(table_id, PricingTableNotFound())
    return await query.one(PRICING_TABLES, key, refusal=PricingTableNotFound())
