"""Writes about pricing tables (design 13)."""

from __future__ import annotations

from fastapi import APIRouter, Response

from aggregates.pricing_table.decide import PricingTableNotFound
from commands.offerings.change_pricing_table import ArchivePricingTable, ChangePricingTable
from commands.offerings.create_pricing_table import CreatePricingTable
from projections.pricing_tables import PRICING_TABLES
from wire.http.documented import gives
from wire.http.filters import uuid_of
from wire.monetization.pricing_table import (
    PricingTableChangesIn,
    PricingTableIn,
    PricingTableOut,
)
from write_api import answers
from write_api.write import ServerWrite


router = APIRouter(prefix="/monetization/pricing-tables", tags=["Monetization"])


@router.post("/", status_code=201, responses=gives(PricingTableOut, 201))
async def create(body: PricingTableIn, write: ServerWrite) -> Response:
    """Create a pricing table; its plans need not be on sale yet."""
    command = CreatePricingTable(content=body.content(), identifier=body.identifier)
    return await write(command, answers.row(PRICING_TABLES, status=201))


@router.patch("/{table_id}/", responses=gives(PricingTableOut))
async def change(table_id: str, body: PricingTableChangesIn, write: ServerWrite) -> Response:
    """Change a pricing table; every part that is named is replaced whole."""
    key = uuid_of(table_id, PricingTableNotFound())
    command = ChangePricingTable(table_id=key, changes=body.changes())
    return await write(command, answers.row(PRICING_TABLES, key))


@router.delete("/{table_id}/", status_code=204)
async def archive(table_id: str, write: ServerWrite) -> Response:
    """Archive a pricing table; offerings that show it go on showing it."""
    key = uuid_of(table_id, PricingTableNotFound())
    return await write(ArchivePricingTable(table_id=key), answers.nothing())
