"""The facts of a webhook endpoint; signing secrets are named by id, never in clear (design 4)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID


class SignatureScheme(StrEnum):
    """How deliveries are signed: Standard Webhooks, or one lower-case hex digest (wire 27.3)."""

    STANDARD = "STANDARD"
    HEX = "HEX"


class DisabledReason(StrEnum):
    """Why an endpoint gets no more events."""

    MERCHANT = "MERCHANT"
    GONE = "GONE"
    FAILING = "FAILING"


@dataclass(frozen=True, slots=True)
class RetiredSecret:
    """A rotated secret that still signs beside the newer ones until an instant."""

    secret_id: UUID
    signs_until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookEndpointCreated:
    """The merchant wants these kinds of events at this address."""

    endpoint_id: UUID
    url: str
    events: tuple[str, ...]
    enabled: bool
    signature_scheme: SignatureScheme
    secret_id: UUID
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookEndpointMoved:
    """Deliveries go to another address from now on, waiting ones included."""

    endpoint_id: UUID
    url: str
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookEndpointSubscribed:
    """The endpoint gets these kinds of events from now on, and no others."""

    endpoint_id: UUID
    events: tuple[str, ...]
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookEndpointEnabled:
    """The endpoint gets events again; what was waiting for it goes on."""

    endpoint_id: UUID
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookEndpointDisabled:
    """The endpoint gets no new events, and what was waiting for it stands still."""

    endpoint_id: UUID
    reason: DisabledReason
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookSecretRotated:
    """A new secret signs; ``retired`` are the older ones that still sign beside it."""

    endpoint_id: UUID
    secret_id: UUID
    retired: tuple[RetiredSecret, ...]
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookEndpointDeleted:
    """The endpoint is gone for good, with all that was waiting for it."""

    endpoint_id: UUID
    occurred_at: datetime


WebhookEndpointEvent = (
    WebhookEndpointCreated
    | WebhookEndpointMoved
    | WebhookEndpointSubscribed
    | WebhookEndpointEnabled
    | WebhookEndpointDisabled
    | WebhookSecretRotated
    | WebhookEndpointDeleted
)
