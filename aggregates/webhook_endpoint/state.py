"""A webhook endpoint as its decisions see it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final, assert_never
from uuid import UUID

from aggregates.webhook_endpoint.events import (
    RetiredSecret,
    SignatureScheme,
    WebhookEndpointCreated,
    WebhookEndpointDeleted,
    WebhookEndpointDisabled,
    WebhookEndpointEnabled,
    WebhookEndpointEvent,
    WebhookEndpointMoved,
    WebhookEndpointSubscribed,
    WebhookSecretRotated,
)
from kernel.fold import Fold


class Status(StrEnum):
    """Where an endpoint is in its life."""

    ABSENT = "ABSENT"
    ENABLED = "ENABLED"
    DISABLED = "DISABLED"
    DELETED = "DELETED"


NEVER: Final = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class WebhookEndpoint:
    """``enabled_at``: when it was last enabled or moved; failures before that do not count."""

    status: Status = Status.ABSENT
    id: UUID = UUID(int=0)
    url: str = ""
    events: tuple[str, ...] = ()
    signature_scheme: SignatureScheme = SignatureScheme.STANDARD
    secret_id: UUID = UUID(int=0)
    retired: tuple[RetiredSecret, ...] = ()
    enabled_at: datetime = NEVER


def evolve(state: WebhookEndpoint, event: WebhookEndpointEvent) -> WebhookEndpoint:
    """Total and free of rules: what is recorded is true."""
    match event:
        case WebhookEndpointCreated():
            return _created(event)
        case WebhookEndpointMoved(url=url, occurred_at=at):
            return replace(state, url=url, enabled_at=at)
        case WebhookEndpointSubscribed(events=events):
            return replace(state, events=events)
        case WebhookEndpointEnabled(occurred_at=at):
            return replace(state, status=Status.ENABLED, enabled_at=at)
        case WebhookEndpointDisabled():
            return replace(state, status=Status.DISABLED)
        case WebhookSecretRotated(secret_id=secret_id, retired=retired):
            return replace(state, secret_id=secret_id, retired=retired)
        case WebhookEndpointDeleted():
            return replace(state, status=Status.DELETED)
        case _:
            assert_never(event)


def _created(event: WebhookEndpointCreated) -> WebhookEndpoint:
    return WebhookEndpoint(
        status=Status.ENABLED if event.enabled else Status.DISABLED,
        id=event.endpoint_id,
        url=event.url,
        events=event.events,
        signature_scheme=event.signature_scheme,
        secret_id=event.secret_id,
        enabled_at=event.occurred_at,
    )


WEBHOOK_ENDPOINT: Final = Fold("webhook_endpoint", WebhookEndpoint(), evolve)
