"""Record an event that meters may count, once per idempotency key (wire 22)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from aggregates.customer.decide import require
from aggregates.customer.state import CUSTOMER
from aggregates.usage import decide
from aggregates.usage.events import UsageEventReported
from aggregates.usage.state import REPORT
from commands.bus import handles
from commands.time import instant_for
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportEvent:
    """``idempotency_key`` is unique in the organization."""

    customer_id: str
    name: str
    idempotency_key: str
    happened_at: datetime
    resource_id: str | None = None
    properties: Mapping[str, Any] | None = None


@handles(ReportEvent)
async def report_event(work: UnitOfWork, command: ReportEvent) -> None:
    """The key names the stream, so it can hold one event only.

    Raises CustomerNotFound, EventKeyReused, ClockAdvancing.
    """
    customer = work.natural_id("customer", command.customer_id)
    state = await work.load(CUSTOMER, customer, guard=False)
    require(state)
    stream = work.natural_id("usage_event", command.idempotency_key)
    known = await work.load(REPORT, stream, absent=True)
    at = await instant_for(work, state)
    reported = UsageEventReported(
        event_id=stream,
        customer=customer,
        name=command.name,
        idempotency_key=command.idempotency_key,
        happened_at=command.happened_at,
        resource_id=command.resource_id,
        properties=None if command.properties is None else dict(command.properties),
        occurred_at=at,
    )
    work.record(stream, decide.report_event(known, reported), owner=customer)
