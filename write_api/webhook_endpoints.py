"""Writes about webhook endpoints (spec: Webhook endpoint, design 13)."""

from __future__ import annotations

import secrets
from uuid import UUID

import msgspec
from fastapi import APIRouter, Response

from aggregates.webhook_endpoint.events import SignatureScheme
from aggregates.webhook_endpoint.secret import SEED_LENGTH, secret_text
from commands.webhooks.change_webhook_endpoint import ChangeWebhookEndpoint
from commands.webhooks.create_webhook_endpoint import CreateWebhookEndpoint
from commands.webhooks.delete_webhook_endpoint import DeleteWebhookEndpoint
from commands.webhooks.rotate_webhook_secret import RotateWebhookSecret
from projections.table import Doc
from projections.webhook_endpoints import WEBHOOK_ENDPOINTS
from wire.webhook_endpoint import WebhookEndpointChangesIn, WebhookEndpointIn
from write_api import answers
from write_api.write import Answer, Done, ServerWrite


router = APIRouter(prefix="/webhook/endpoints", tags=["Webhooks"])


@router.post("/", status_code=201)
async def create(body: WebhookEndpointIn, write: ServerWrite) -> Response:
    """Create an endpoint; the answer alone shows the signing secret."""
    endpoint_id, seed = write.id("webhook_endpoint"), secrets.token_bytes(SEED_LENGTH)
    command = CreateWebhookEndpoint(
        endpoint_id=endpoint_id,
        url=body.url,
        events=tuple(body.events),
        enabled=body.enabled,
        signature_scheme=body.signature_scheme,
        secret_seed=seed,
        rules=write.services.webhook_targets,
    )
    return await write(command, _with_secret(endpoint_id, seed, status=201), secret=True)


@router.patch("/{endpoint_id}/")
async def change(endpoint_id: UUID, body: WebhookEndpointChangesIn, write: ServerWrite) -> Response:
    """Change the address, the kinds of events or the switch."""
    command = ChangeWebhookEndpoint(
        endpoint_id=endpoint_id,
        url=body.url,
        events=None if body.events is None else tuple(body.events),
        enabled=body.enabled,
        signature_scheme=body.signature_scheme,
        rules=write.services.webhook_targets,
    )
    return await write(command, answers.row(WEBHOOK_ENDPOINTS, endpoint_id))


@router.delete("/{endpoint_id}/", status_code=204)
async def delete(endpoint_id: UUID, write: ServerWrite) -> Response:
    """Delete an endpoint, with all that waits for it."""
    return await write(DeleteWebhookEndpoint(endpoint_id=endpoint_id), answers.nothing())


@router.post("/{endpoint_id}/rotate-secret/")
async def rotate_secret(endpoint_id: UUID, write: ServerWrite) -> Response:
    """Give the endpoint a new secret; the answer alone shows it."""
    seed = secrets.token_bytes(SEED_LENGTH)
    command = RotateWebhookSecret(endpoint_id=endpoint_id, secret_seed=seed)
    return await write(command, _with_secret(endpoint_id, seed, status=200), secret=True)


def _with_secret(endpoint_id: UUID, seed: bytes, *, status: int) -> Answer:
    async def answer(done: Done) -> Response:
        found = await done.reader.rows(
            "SELECT body FROM webhook_endpoints WHERE id = %s AND organization = %s",
            (endpoint_id, done.tenant.organization),
        )
        if not found:
            raise answers.ViewsBehind
        body = msgspec.json.decode(found[0][0], type=Doc)
        scheme = SignatureScheme(body["signatureScheme"])
        shown = {**body, "secret": secret_text(scheme, seed) if done.fresh else None}
        return Response(msgspec.json.encode(shown), status, media_type="application/json")

    return answer
