"""Decisions about a pricing table: made, changed, archived (wire 5.2)."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from aggregates.pricing_table.events import (
    PricingTableArchived,
    PricingTableChanged,
    PricingTableCreated,
    TableContent,
)
from aggregates.pricing_table.state import PricingTable
from kernel.errors import Conflict, Invalid, NotFound


class PricingTableNotFound(NotFound):
    """No such pricing table."""

    code = "pricing_table_not_found"


class PricingTableExists(Conflict):
    """A pricing table with this identifier exists already."""

    code = "pricing_table_exists"


class PricingTableAlreadyArchived(Invalid):
    """The pricing table is archived already."""

    code = "pricing_table_archived"


def create(
    state: PricingTable, table_id: UUID, identifier: str, content: TableContent, *, at: datetime
) -> list[PricingTableCreated]:
    """Make it; an identifier is never used twice, not even after archiving."""
    if state.content is not None:
        message = f"A pricing table with the identifier {identifier!r} exists already."
        raise PricingTableExists(message)
    return [
        PricingTableCreated(
            table_id=table_id, identifier=identifier, content=content, occurred_at=at
        )
    ]


def change(
    state: PricingTable, content: TableContent, *, at: datetime
) -> list[PricingTableChanged]:
    """Let it be as told; the same again changes nothing."""
    if require(state) == content:
        return []
    return [PricingTableChanged(table_id=state.id, content=content, occurred_at=at)]


def archive(state: PricingTable, *, at: datetime) -> list[PricingTableArchived]:
    """Take it away; a second time is refused, as in the catalog."""
    require(state)
    return [PricingTableArchived(table_id=state.id, occurred_at=at)]


def require(state: PricingTable) -> TableContent:
    """What it says. Raises PricingTableNotFound, PricingTableAlreadyArchived."""
    if state.content is None:
        raise PricingTableNotFound
    if state.archived:
        raise PricingTableAlreadyArchived
    return state.content
