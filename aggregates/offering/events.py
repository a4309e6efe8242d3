"""Facts about an offering."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from kernel.price_rule import PriceRule
from kernel.publication import Publication


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferingContent:
    """All that a merchant says of an offering; one without a table shows every visible plan."""

    name: str
    description: str = ""
    pricing_table: UUID | None = None
    rule: PriceRule | None = None
    publication: Publication = Publication.ACTIVE


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferingCreated:
    """A merchant put plans together for some public."""

    offering_id: UUID
    content: OfferingContent
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferingChanged:
    """The offering is as told here from now on; nobody who bought through it is touched."""

    offering_id: UUID
    content: OfferingContent
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferingArchived:
    """The offering is shown to nobody any more."""

    offering_id: UUID
    occurred_at: datetime


OfferingEvent = OfferingCreated | OfferingChanged | OfferingArchived
