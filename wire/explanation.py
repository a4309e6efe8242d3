"""Why an invoice is what it is: lines, sums and payments, with the facts behind them (design 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from typing_extensions import TypedDict

from aggregates.invoice.events import InvoiceCreated
from kernel.lines import InvoiceLine
from kernel.ports.event_store import Recorded
from wire import explanation_words as words
from wire.explained_payments import AttemptOut, attempts_out
from wire.explained_refunds import CreditedOut, RefundedOut, credits_out, refunds_out
from wire.explained_sums import StepOut, steps_out
from wire.standing_invoice import standing
from wire.times import instant


Origins = Mapping[tuple[UUID, int], Recorded]
"""Facts by stream and version."""


class FactOut(TypedDict):
    """A fact and its place in the log: ``version`` counts in its stream, ``position`` in all."""

    stream: str
    version: int
    position: int
    name: str
    occurredAt: str
    recordedAt: str


class ExplainedLineOut(TypedDict):
    """A line: ``numerator/denominator`` exact minor units were rounded once, to ``units``."""

    name: str
    description: str
    words: str
    numerator: int
    denominator: int
    units: int
    amount: str
    facts: list[FactOut]


class ExplanationOut(TypedDict):
    """Why an invoice is what it is; ``units`` are minor units of the currency everywhere."""

    id: str
    currency: str
    lines: list[ExplainedLineOut]
    totals: list[StepOut]
    payments: list[AttemptOut]
    refunds: list[RefundedOut]
    credits: list[CreditedOut]
    facts: list[FactOut]


def explanation_out(
    facts: Sequence[Recorded], origins: Origins, ordered: Sequence[Recorded] = ()
) -> ExplanationOut:
    """From all facts of the invoice, those that its lines name and those of its order."""
    first: InvoiceCreated = facts[0].fact
    created = standing(first, (recorded.fact for recorded in facts))
    return {
        "id": created.number,
        "currency": created.totals.total.currency,
        "lines": [_line(line, origins) for line in created.lines],
        "totals": steps_out(created),
        "payments": attempts_out(recorded.fact for recorded in facts),
        "refunds": refunds_out(recorded.fact for recorded in ordered),
        "credits": credits_out(recorded.fact for recorded in facts),
        "facts": [_fact(recorded) for recorded in facts],
    }


def _line(line: InvoiceLine, origins: Origins) -> ExplainedLineOut:
    origin = origins.get((line.origin.stream, line.origin.version))
    return {
        "name": line.name,
        "description": line.description,
        "words": words.line(line),
        "numerator": line.numerator,
        "denominator": line.denominator,
        "units": line.amount.units,
        "amount": line.amount.decimal(),
        "facts": [] if origin is None else [_fact(origin)],
    }


def _fact(recorded: Recorded) -> FactOut:
    return {
        "stream": str(recorded.stream),
        "version": recorded.version,
        "position": recorded.position,
        "name": recorded.name,
        "occurredAt": instant(recorded.fact.occurred_at),
        "recordedAt": instant(recorded.recorded_at),
    }
