"""A pricing table as decisions see it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never, get_args
from uuid import UUID

from aggregates.pricing_table.events import (
    PricingTableArchived,
    PricingTableChanged,
    PricingTableCreated,
    PricingTableEvent,
    TableContent,
)
from kernel.fold import Fold
from kernel.ids import NIL


@dataclass(frozen=True, slots=True)
class PricingTable:
    """``content`` None: there is none."""

    id: UUID = NIL
    content: TableContent | None = None
    archived: bool = False


def evolve(state: PricingTable, event: PricingTableEvent) -> PricingTable:
    """Total and free of rules: what is recorded is true."""
    match event:
        case PricingTableCreated():
            return PricingTable(event.table_id, event.content)
        case PricingTableChanged():
            return replace(state, content=event.content)
        case PricingTableArchived():
            return replace(state, archived=True)
        case _:
            assert_never(event)


PRICING_TABLE = Fold("pricing_table", PricingTable(), evolve, get_args(PricingTableEvent))
