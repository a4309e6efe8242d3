"""Change a pricing table, or archive it (wire 5.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from aggregates.pricing_table import decide
from aggregates.pricing_table.state import PRICING_TABLE
from commands.bus import handles
from commands.catalog.lookup import load_own
from commands.offerings.create_pricing_table import known_plans
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePricingTable:
    """``changes`` are the fields of TableContent that the client named."""

    table_id: UUID
    changes: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivePricingTable:
    """Offerings that show it go on showing it."""

    table_id: UUID


@handles(ChangePricingTable)
async def change_pricing_table(work: UnitOfWork, command: ChangePricingTable) -> None:
    """Raises PricingTableNotFound, PricingTableAlreadyArchived, InvalidFields."""
    state = await load_own(work, PRICING_TABLE, command.table_id)
    content = replace(decide.require(state), **command.changes)
    if "plans" in command.changes:
        content = replace(content, plans=await known_plans(work, content.plans))
    work.record(command.table_id, decide.change(state, content, at=work.instant()))


@handles(ArchivePricingTable)
async def archive_pricing_table(work: UnitOfWork, command: ArchivePricingTable) -> None:
    """Raises PricingTableNotFound, PricingTableAlreadyArchived."""
    state = await load_own(work, PRICING_TABLE, command.table_id)
    work.record(command.table_id, decide.archive(state, at=work.instant()))
