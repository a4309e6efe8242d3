"""Change the address, the kinds of events or the switch of a webhook endpoint."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.webhook_endpoint import decide
from aggregates.webhook_endpoint.events import SignatureScheme
from aggregates.webhook_endpoint.state import WEBHOOK_ENDPOINT
from aggregates.webhook_endpoint.target import TargetRules
from commands.bus import handles
from commands.unit_of_work import UnitOfWork
from commands.webhooks.ownership import load_endpoint


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeWebhookEndpoint:
    """What is None stays as it is."""

    endpoint_id: UUID
    url: str | None
    events: tuple[str, ...] | None
    enabled: bool | None
    signature_scheme: SignatureScheme | None
    rules: TargetRules


@handles(ChangeWebhookEndpoint)
async def change_webhook_endpoint(work: UnitOfWork, command: ChangeWebhookEndpoint) -> UUID:
    """Return the id of the endpoint."""
    stream = command.endpoint_id
    state = await load_endpoint(work, stream)
    at = work.instant()
    if command.signature_scheme is not None:
        decide.keep_scheme(state, command.signature_scheme)
    if command.url is not None:
        work.record(stream, decide.move(state, command.url, command.rules, at=at))
    if command.events is not None:
        work.record(stream, decide.subscribe(state, command.events, at=at))
    if command.enabled is not None:
        state = await work.load(WEBHOOK_ENDPOINT, stream)
        work.record(stream, decide.switch(state, enabled=command.enabled, at=at))
    return stream
