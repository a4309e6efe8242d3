"""The pricing tables view: as merchants manage them, and as others look them up."""

from __future__ import annotations

from aggregates.pricing_table.events import (
    PricingTableArchived,
    PricingTableChanged,
    PricingTableCreated,
)
from kernel.ports.event_store import Recorded
from projections import publications
from projections.documents import Documents
from projections.table import Column, Table
from projections.view import View
from wire.monetization.pricing_table import pricing_table_out


PRICING_TABLES = Table(name="pricing_tables", columns=(Column("status"),), render=pricing_table_out)

view = View("pricing_tables", PRICING_TABLES)


@view.on(PricingTableCreated)
def created(docs: Documents, recorded: Recorded, fact: PricingTableCreated) -> None:
    """A new one."""
    publications.put_new(docs, PRICING_TABLES, recorded, fact.content, identifier=fact.identifier)


@view.on(PricingTableChanged)
def changed(docs: Documents, recorded: Recorded, fact: PricingTableChanged) -> None:
    """As told from now on."""
    publications.put_changed(docs, PRICING_TABLES, recorded, fact.content, at=fact.occurred_at)


@view.on(PricingTableArchived)
def archived(docs: Documents, recorded: Recorded, fact: PricingTableArchived) -> None:
    """Out of the lists."""
    publications.put_archived(docs, PRICING_TABLES, recorded, at=fact.occurred_at)
