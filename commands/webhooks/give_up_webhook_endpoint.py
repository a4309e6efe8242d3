"""Disable a webhook endpoint that refuses its deliveries; the sender asks, never a client."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from aggregates.webhook_endpoint import decide
from aggregates.webhook_endpoint.events import DisabledReason
from aggregates.webhook_endpoint.state import WEBHOOK_ENDPOINT
from commands.bus import handles
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveUpWebhookEndpoint:
    """``seen_since`` is when the refusals began; an endpoint enabled or moved later stays."""

    endpoint_id: UUID
    reason: DisabledReason
    seen_since: datetime


@handles(GiveUpWebhookEndpoint)
async def give_up_webhook_endpoint(work: UnitOfWork, command: GiveUpWebhookEndpoint) -> None:
    """Record the end of deliveries, unless the endpoint changed since."""
    state = await work.load(WEBHOOK_ENDPOINT, command.endpoint_id)
    facts = decide.give_up(state, command.reason, seen_since=command.seen_since, at=work.instant())
    work.record(command.endpoint_id, facts)
