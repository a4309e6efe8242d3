"""Put plans together for some public (design 13)."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.offering import decide
from aggregates.offering.events import OfferingContent
from aggregates.offering.state import OFFERING
from commands.bus import handles
from commands.offerings.references import table_to_show
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateOffering:
    """``offering_id`` is new."""

    offering_id: UUID
    content: OfferingContent


@handles(CreateOffering)
async def create_offering(work: UnitOfWork, command: CreateOffering) -> UUID:
    """The offering's id. Raises InvalidFields."""
    stream, content = command.offering_id, command.content
    if content.pricing_table is not None:
        await table_to_show(work, content.pricing_table)
    state = await work.load(OFFERING, stream, absent=True)
    facts = decide.create(state, stream, content, at=work.instant())
    work.record(stream, facts, owner=work.tenant.organization)
    return stream
