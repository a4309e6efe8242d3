"""The decisions about a webhook endpoint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from aggregates.webhook_endpoint.events import (
    DisabledReason,
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
from aggregates.webhook_endpoint.state import Status, WebhookEndpoint
from aggregates.webhook_endpoint.target import TargetRules, valid_events, valid_url
from kernel.errors import Conflict, InvalidFields, NotFound


OVERLAP: Final = timedelta(hours=24)
"""A rotated STANDARD secret signs beside the new one for this long (cases 123)."""

MAX_RETIRED: Final = 4
"""No more signatures than this beside the newest one, however often a secret is rotated."""


class WebhookEndpointNotFound(NotFound):
    """There is no such webhook endpoint."""

    code = "webhook_endpoint_not_found"


class WebhookEndpointExists(Conflict):
    """A webhook endpoint with this id exists already."""

    code = "webhook_endpoint_exists"


def create(
    state: WebhookEndpoint,
    wanted: WebhookEndpointCreated,
    rules: TargetRules,
) -> list[WebhookEndpointEvent]:
    """Open an endpoint. Raises InvalidFields on a bad address or an unknown kind of event."""
    if state.status is not Status.ABSENT:
        raise WebhookEndpointExists
    valid_url(wanted.url, rules)
    return [replace(wanted, events=valid_events(wanted.events))]


def move(
    state: WebhookEndpoint, url: str, rules: TargetRules, *, at: datetime
) -> list[WebhookEndpointEvent]:
    """Send to another address; the same one changes nothing."""
    _must_exist(state)
    if url == state.url:
        return []
    valid = valid_url(url, rules)
    return [WebhookEndpointMoved(endpoint_id=state.id, url=valid, occurred_at=at)]


def subscribe(
    state: WebhookEndpoint, events: Sequence[str], *, at: datetime
) -> list[WebhookEndpointEvent]:
    """Take these kinds and no others; the same ones change nothing."""
    _must_exist(state)
    wanted = valid_events(events)
    if set(wanted) == set(state.events):
        return []
    return [WebhookEndpointSubscribed(endpoint_id=state.id, events=wanted, occurred_at=at)]


def keep_scheme(state: WebhookEndpoint, scheme: SignatureScheme) -> None:
    """The scheme shapes the secret, so it stays as it was created. Raises InvalidFields."""
    _must_exist(state)
    if scheme is not state.signature_scheme:
        message = "The scheme of an endpoint cannot change. Create another endpoint."
        raise InvalidFields({"signatureScheme": [message]})


def switch(state: WebhookEndpoint, *, enabled: bool, at: datetime) -> list[WebhookEndpointEvent]:
    """Enable or disable on the merchant's wish; asking twice changes nothing."""
    _must_exist(state)
    if enabled is (state.status is Status.ENABLED):
        return []
    if enabled:
        return [WebhookEndpointEnabled(endpoint_id=state.id, occurred_at=at)]
    return [_disabled(state, DisabledReason.MERCHANT, at)]


def give_up(
    state: WebhookEndpoint, reason: DisabledReason, *, seen_since: datetime, at: datetime
) -> list[WebhookEndpointEvent]:
    """Disable an endpoint that refuses its deliveries since ``seen_since``.

    Nothing when it is not enabled any more, or was enabled or moved after that instant: what was
    seen before says nothing about it now.
    """
    if state.status is not Status.ENABLED or state.enabled_at > seen_since:
        return []
    return [_disabled(state, reason, at)]


def rotate_secret(
    state: WebhookEndpoint, secret_id: UUID, *, at: datetime
) -> list[WebhookEndpointEvent]:
    """Sign with a new secret: STANDARD beside the older ones for 24 h, HEX alone at once."""
    _must_exist(state)
    if secret_id == state.secret_id:
        return []
    retired: tuple[RetiredSecret, ...] = ()
    if state.signature_scheme is SignatureScheme.STANDARD:
        still = tuple(old for old in state.retired if old.signs_until > at)
        retired = (RetiredSecret(state.secret_id, at + OVERLAP), *still)[:MAX_RETIRED]
    return [
        WebhookSecretRotated(
            endpoint_id=state.id, secret_id=secret_id, retired=retired, occurred_at=at
        )
    ]


def delete(state: WebhookEndpoint, *, at: datetime) -> list[WebhookEndpointEvent]:
    """Remove the endpoint for good. Raises WebhookEndpointNotFound when it is gone already."""
    _must_exist(state)
    return [WebhookEndpointDeleted(endpoint_id=state.id, occurred_at=at)]


def _must_exist(state: WebhookEndpoint) -> None:
    if state.status in {Status.ABSENT, Status.DELETED}:
        raise WebhookEndpointNotFound


def _disabled(
    state: WebhookEndpoint, reason: DisabledReason, at: datetime
) -> WebhookEndpointDisabled:
    return WebhookEndpointDisabled(endpoint_id=state.id, reason=reason, occurred_at=at)
