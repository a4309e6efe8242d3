"""The webhook endpoint as clients write and read it (spec: Webhook endpoint, design 13)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from aggregates.webhook_endpoint.events import SignatureScheme
from wire.base import In, Text
from wire.times import seconds


Events = Annotated[list[Text], Field(max_length=100)]
"""Kinds of events, or ``*``; which ones there are is the domain's business."""


class WebhookEndpointIn(In):
    """A new endpoint."""

    url: Text
    events: Events
    enabled: bool = True
    signature_scheme: SignatureScheme | None = None


class WebhookEndpointChangesIn(In):
    """What PATCH may name; what is left out or null stays as it is."""

    url: Text | None = None
    events: Events | None = None
    enabled: bool | None = None
    signature_scheme: SignatureScheme | None = None


def webhook_endpoint_out(doc: dict[str, Any]) -> dict[str, Any]:
    """The endpoint record; the secret is added in the answers to create and rotate alone."""
    return {
        "id": doc["id"],
        "url": doc["url"],
        "events": doc["events"],
        "enabled": doc["enabled"],
        "signatureScheme": doc["signature_scheme"],
        "disabledReason": doc["disabled_reason"],
        "createdOn": seconds(doc["created_on"]),
        "modifiedOn": seconds(doc["modified_on"]),
    }
