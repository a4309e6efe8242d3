"""Sending an event again on the merchant's wish (design 9)."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from kernel.errors import Invalid, NotFound
from projections.webhooks import resend
from write_api.write import ServerWrite


class WebhookLogNotFound(NotFound):
    """There is no such delivery in the log of the last 30 days."""

    code = "webhook_log_not_found"


class WebhookEndpointDisabled(Invalid):
    """The webhook endpoint is disabled; enable it first."""

    code = "webhook_endpoint_disabled"


router = APIRouter(prefix="/webhook/logs", tags=["Webhooks"])


@router.post("/{log_id}/resend/")
async def send_again(log_id: UUID, write: ServerWrite) -> Response:
    """Send the event of an attempt again, under the same event id, at once.

    It is transport and no fact: a repeated Idempotency-Key names the same resend.
    """
    async with write.services.reader.pool.connection() as db:
        found = await resend.find(db, log_id, write.tenant.organization)
        if found is None:
            raise WebhookLogNotFound
        event, endpoint, enabled = found
        if not enabled:
            raise WebhookEndpointDisabled
        await resend.resend(db, event, endpoint, write.id("resend", log_id))
    return JSONResponse({"message": "The event will be sent again.", "eventId": str(event)})
