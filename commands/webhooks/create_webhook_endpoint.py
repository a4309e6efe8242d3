"""Open a webhook endpoint."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.organization.state import ORGANIZATION
from aggregates.webhook_endpoint import decide
from aggregates.webhook_endpoint.events import SignatureScheme, WebhookEndpointCreated
from aggregates.webhook_endpoint.secret import secret_text
from aggregates.webhook_endpoint.state import WEBHOOK_ENDPOINT
from aggregates.webhook_endpoint.target import TargetRules
from commands.bus import handles
from commands.unit_of_work import UnitOfWork
from kernel.ids import derived_id


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateWebhookEndpoint:
    """``secret_seed`` is random, of 32 bytes; without a scheme the organization's default holds."""

    endpoint_id: UUID
    url: str
    events: tuple[str, ...]
    enabled: bool
    signature_scheme: SignatureScheme | None
    secret_seed: bytes
    rules: TargetRules


@handles(CreateWebhookEndpoint)
async def create_webhook_endpoint(work: UnitOfWork, command: CreateWebhookEndpoint) -> UUID:
    """Return the id of the endpoint."""
    state = await work.load(WEBHOOK_ENDPOINT, command.endpoint_id, absent=True)
    organization = await work.load(ORGANIZATION, work.tenant.organization, guard=False)
    preferred = organization.settings.webhook_signature_scheme
    scheme = command.signature_scheme or SignatureScheme(preferred.value)
    secret_id = derived_id(command.endpoint_id, "secret", work.context.command_id)
    wanted = WebhookEndpointCreated(
        endpoint_id=command.endpoint_id,
        url=command.url,
        events=command.events,
        enabled=command.enabled,
        signature_scheme=scheme,
        secret_id=secret_id,
        occurred_at=work.instant(),
    )
    facts = decide.create(state, wanted, command.rules)
    work.keep_secret(secret_id, secret_text(scheme, command.secret_seed).encode())
    work.record(command.endpoint_id, facts, owner=work.tenant.organization)
    return command.endpoint_id
