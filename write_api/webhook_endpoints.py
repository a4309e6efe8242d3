"""Writes about webhook endpoints (spec: Webhook endpoint, design 13)."""

from __future__ import annotations

import secrets
from uuid import UUID

import msgspec
from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from aggregates.webhook_endpoint.decide import WebhookEndpointNotFound
from aggregates.webhook_endpoint.events import SignatureScheme
from aggregates.webhook_endpoint.secret import SEED_LENGTH, secret_text
from commands.webhooks.change_webhook_endpoint import ChangeWebhookEndpoint
from commands.webhooks.create_webhook_endpoint import CreateWebhookEndpoint
from commands.webhooks.delete_webhook_endpoint import DeleteWebhookEndpoint
from commands.webhooks.rotate_webhook_secret import RotateWebhookSecret
from projections.table import Doc
from projections.webhook_endpoints import WEBHOOK_ENDPOINTS
from projections.webhooks import replays
from projections.webhooks.replays import Replay
from wire.webhook_endpoint import WebhookEndpointChangesIn, WebhookEndpointIn, WebhookReplayIn
from write_api import answers
from write_api.webhook_logs import WebhookEndpointDisabled
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


@router.post("/{endpoint_id}/replay/", status_code=202)
async def replay(endpoint_id: UUID, body: WebhookReplayIn, write: ServerWrite) -> Response:
    """Send history again under the same event ids, after what waits already.

    It is transport and no fact: a repeated Idempotency-Key names the same replay.
    """
    head = await write.services.bus.store.head()
    wish = Replay(
        id=write.id("replay", endpoint_id),
        organization=write.tenant.organization,
        endpoint=endpoint_id,
        begin=body.begin,
        end=body.end,
        first=body.from_position or 1,
        last=min(body.to_position or head, head),
    )
    async with write.services.reader.pool.connection() as db:
        enabled = await replays.is_enabled(db, endpoint_id, wish.organization)
        if enabled is None:
            raise WebhookEndpointNotFound
        if not enabled:
            raise WebhookEndpointDisabled
        await replays.ask(db, wish)
    return JSONResponse({"id": str(wish.id), "message": "History will be sent again."}, 202)


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
