"""Reads from the log what an explanation of an invoice rests on."""

from __future__ import annotations

from uuid import UUID

from aggregates.invoice.events import InvoiceCreated
from kernel.ports.event_store import EventStore, Recorded
from wire.explanation import ExplanationOut, Origins, explanation_out


async def explain(log: EventStore, invoice: UUID) -> ExplanationOut:
    """Why an invoice is what it is. Raises LookupError for a stream of something else."""
    facts = await log.recorded(invoice)
    if not facts or not isinstance(facts[0].fact, InvoiceCreated):
        raise LookupError(f"{invoice} is not an invoice")
    created = facts[0].fact
    ordered = [] if created.order_id is None else await log.recorded(created.order_id)
    return explanation_out(facts, await _origins(log, created), ordered)


async def _origins(log: EventStore, created: InvoiceCreated) -> Origins:
    """The facts that the lines name, by stream and version."""
    found: dict[tuple[UUID, int], Recorded] = {}
    for stream in dict.fromkeys(line.origin.stream for line in created.lines):
        found |= {(stream, fact.version): fact for fact in await log.recorded(stream)}
    return found
