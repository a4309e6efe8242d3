"""Stored name and version of every fact: the only list of all facts.

A stored name never changes and never goes away. A new shape of a fact gets a new version here and
an upcast from the old one; ``tests/house/facts/`` keeps a sample of every version ever shipped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from aggregates.webhook_endpoint.events import (
    WebhookEndpointCreated,
    WebhookEndpointDeleted,
    WebhookEndpointDisabled,
    WebhookEndpointEnabled,
    WebhookEndpointMoved,
    WebhookEndpointSubscribed,
    WebhookSecretRotated,
)


FACTS: dict[str, type] = {
    # customer
    # organization
    # api_key
    # product
    # feature
    # plan
    # payment_method
    # subscription
    # invoice
    # order
    # transaction
    # balance
    # webhook_endpoint
    "webhook_endpoint.created.v1": WebhookEndpointCreated,
    "webhook_endpoint.moved.v1": WebhookEndpointMoved,
    "webhook_endpoint.subscribed.v1": WebhookEndpointSubscribed,
    "webhook_endpoint.enabled.v1": WebhookEndpointEnabled,
    "webhook_endpoint.disabled.v1": WebhookEndpointDisabled,
    "webhook_endpoint.secret_rotated.v1": WebhookSecretRotated,
    "webhook_endpoint.deleted.v1": WebhookEndpointDeleted,
    # test_clock
}

Upcast = Callable[[Mapping[str, Any]], Mapping[str, Any]]

UPCASTS: dict[str, tuple[str, Upcast]] = {}
"""Old stored name: its newer name, and how to turn the old content into the newer one."""
