"""The offerings view: as merchants manage them, and as others look them up."""

from __future__ import annotations

from aggregates.offering.events import OfferingArchived, OfferingChanged, OfferingCreated
from kernel.ports.event_store import Recorded
from projections import publications
from projections.documents import Documents
from projections.table import Column, Table
from projections.view import View
from wire.monetization.offering import offering_out


OFFERINGS = Table(name="offerings", columns=(Column("status"),), render=offering_out)

view = View("offerings", OFFERINGS)


@view.on(OfferingCreated)
def created(docs: Documents, recorded: Recorded, fact: OfferingCreated) -> None:
    """A new one."""
    publications.put_new(docs, OFFERINGS, recorded, fact.content)


@view.on(OfferingChanged)
def changed(docs: Documents, recorded: Recorded, fact: OfferingChanged) -> None:
    """As told from now on."""
    publications.put_changed(docs, OFFERINGS, recorded, fact.content, at=fact.occurred_at)


@view.on(OfferingArchived)
def archived(docs: Documents, recorded: Recorded, fact: OfferingArchived) -> None:
    """Out of the lists."""
    publications.put_archived(docs, OFFERINGS, recorded, at=fact.occurred_at)
