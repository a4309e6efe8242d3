"""Remove a webhook endpoint for good."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.webhook_endpoint import decide
from commands.bus import handles
from commands.unit_of_work import UnitOfWork
from commands.webhooks.ownership import load_endpoint


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteWebhookEndpoint:
    """Nothing more is delivered to this endpoint, waiting events included."""

    endpoint_id: UUID


@handles(DeleteWebhookEndpoint)
async def delete_webhook_endpoint(work: UnitOfWork, command: DeleteWebhookEndpoint) -> None:
    """Record the end of the endpoint."""
    state = await load_endpoint(work, command.endpoint_id)
    work.record(command.endpoint_id, decide.delete(state, at=work.instant()))
