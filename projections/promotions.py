"""The promotions view: as merchants manage them, and as others look them up."""

from __future__ import annotations

from aggregates.promotion.events import PromotionArchived, PromotionChanged, PromotionCreated
from kernel.ports.event_store import Recorded
from projections import publications
from projections.documents import Documents
from projections.table import Column, Table
from projections.view import View
from wire.monetization.promotion import promotion_out


PROMOTIONS = Table(name="promotions", columns=(Column("status"),), render=promotion_out)

view = View("promotions", PROMOTIONS)


@view.on(PromotionCreated)
def created(docs: Documents, recorded: Recorded, fact: PromotionCreated) -> None:
    """A new one."""
    publications.put_new(docs, PROMOTIONS, recorded, fact.content)


@view.on(PromotionChanged)
def changed(docs: Documents, recorded: Recorded, fact: PromotionChanged) -> None:
    """As told from now on."""
    publications.put_changed(docs, PROMOTIONS, recorded, fact.content, at=fact.occurred_at)


@view.on(PromotionArchived)
def archived(docs: Documents, recorded: Recorded, fact: PromotionArchived) -> None:
    """Out of the lists."""
    publications.put_archived(docs, PROMOTIONS, recorded, at=fact.occurred_at)
