"""Give a webhook endpoint a new signing secret."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.webhook_endpoint import decide
from aggregates.webhook_endpoint.secret import secret_text
from commands.bus import handles
from commands.unit_of_work import UnitOfWork
from commands.webhooks.ownership import load_endpoint
from kernel.ids import derived_id


@dataclass(frozen=True, slots=True, kw_only=True)
class RotateWebhookSecret:
    """``secret_seed`` is random, of 32 bytes."""

    endpoint_id: UUID
    secret_seed: bytes


@handles(RotateWebhookSecret)
async def rotate_webhook_secret(work: UnitOfWork, command: RotateWebhookSecret) -> UUID:
    """Return the id of the endpoint."""
    state = await load_endpoint(work, command.endpoint_id)
    secret_id = derived_id(command.endpoint_id, "secret", work.context.command_id)
    facts = decide.rotate_secret(state, secret_id, at=work.instant())
    if facts:
        text = secret_text(state.signature_scheme, command.secret_seed)
        work.keep_secret(secret_id, text.encode())
    work.record(command.endpoint_id, facts)
    return command.endpoint_id
