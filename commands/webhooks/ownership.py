"""An organization sees its own webhook endpoints and no others."""

from __future__ import annotations

from uuid import UUID

from aggregates.webhook_endpoint.decide import WebhookEndpointNotFound
from aggregates.webhook_endpoint.state import WEBHOOK_ENDPOINT, Status, WebhookEndpoint
from commands.unit_of_work import UnitOfWork


async def load_endpoint(work: UnitOfWork, endpoint_id: UUID) -> WebhookEndpoint:
    """The endpoint, if it lives and is this organization's. Raises WebhookEndpointNotFound."""
    state = await work.load(WEBHOOK_ENDPOINT, endpoint_id)
    if state.status in {Status.ABSENT, Status.DELETED}:
        raise WebhookEndpointNotFound
    if work.owner(endpoint_id) != work.tenant.organization:
        raise WebhookEndpointNotFound
    return state
