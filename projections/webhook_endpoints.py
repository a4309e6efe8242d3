"""The webhook endpoints view, and who is subscribed to what as of any position."""

from __future__ import annotations

from typing import Any

from aggregates.webhook_endpoint.events import (
    DisabledReason,
    WebhookEndpointCreated,
    WebhookEndpointDeleted,
    WebhookEndpointDisabled,
    WebhookEndpointEnabled,
    WebhookEndpointEvent,
    WebhookEndpointMoved,
    WebhookEndpointSubscribed,
    WebhookSecretRotated,
)
from kernel.ports.event_store import Recorded
from projections.documents import Documents
from projections.table import Column, Doc, Table
from projections.view import View
from wire.times import instant
from wire.webhook_endpoint import webhook_endpoint_out


WEBHOOK_ENDPOINTS = Table(
    name="webhook_endpoints",
    columns=(Column("deleted", "boolean"), Column("changed", "bigint")),
    indexes=("(changed)",),
    buckets=("deleted",),
    render=webhook_endpoint_out,
    visible="NOT t.deleted",
)

WEBHOOK_SUBSCRIBERS = Table(name="webhook_subscribers")
"""One row per organization: the kinds of events each of its enabled endpoints gets."""

view = View("webhook_endpoints", WEBHOOK_ENDPOINTS, WEBHOOK_SUBSCRIBERS, version=2)


def loads(recorded: Recorded, fact: Any) -> tuple[tuple[Table, Any], ...]:
    """The endpoint's own row and the subscribers of its organization."""
    del fact
    own = (WEBHOOK_ENDPOINTS, recorded.stream)
    return (own, (WEBHOOK_SUBSCRIBERS, recorded.organization))


@view.on(WebhookEndpointCreated, loads=loads)
def created(docs: Documents, recorded: Recorded, fact: WebhookEndpointCreated) -> None:
    """A new row."""
    at = instant(fact.occurred_at)
    _put(
        docs,
        recorded,
        {
            "id": str(recorded.stream),
            "organization": str(recorded.organization),
            "created": recorded.position,
            "changed": recorded.position,
            "url": fact.url,
            "events": list(fact.events),
            "enabled": fact.enabled,
            "disabled_reason": None if fact.enabled else DisabledReason.MERCHANT.value,
            "signature_scheme": fact.signature_scheme.value,
            "secret_id": str(fact.secret_id),
            "retired": [],
            "spent": [],
            "enabled_at": at,
            "deleted": False,
            "created_on": at,
            "modified_on": at,
        },
    )


@view.on(
    WebhookEndpointMoved,
    WebhookEndpointSubscribed,
    WebhookEndpointEnabled,
    WebhookEndpointDisabled,
    WebhookSecretRotated,
    WebhookEndpointDeleted,
    loads=loads,
)
def changed(docs: Documents, recorded: Recorded, fact: Any) -> None:
    """The row as it is from now on."""
    doc = docs.get(WEBHOOK_ENDPOINTS, recorded.stream)
    if doc is None:
        raise LookupError(f"webhook endpoint {recorded.stream} is not in the view")
    at = instant(fact.occurred_at)
    head = {"changed": recorded.position, "modified_on": at}
    _put(docs, recorded, {**doc, **_changes(doc, fact, at), **head})


def _changes(doc: Doc, fact: WebhookEndpointEvent, at: str) -> dict[str, Any]:
    match fact:
        case WebhookEndpointMoved(url=url):
            return {"url": url, "enabled_at": at}
        case WebhookEndpointSubscribed(events=events):
            return {"events": list(events)}
        case WebhookEndpointEnabled():
            return {"enabled": True, "disabled_reason": None, "enabled_at": at}
        case WebhookEndpointDisabled(reason=reason):
            return {"enabled": False, "disabled_reason": reason.value}
        case WebhookSecretRotated():
            return _secrets(doc, fact)
        case _:
            return {"deleted": True, "enabled": False}


def _secrets(doc: Doc, fact: WebhookSecretRotated) -> dict[str, Any]:
    """``spent`` are those that sign no more, for who forgets them."""
    retired = [
        {"secret_id": str(old.secret_id), "signs_until": instant(old.signs_until)}
        for old in fact.retired
    ]
    before = [doc["secret_id"], *(old["secret_id"] for old in doc["retired"])]
    signing = {old["secret_id"] for old in retired}
    spent = [*doc["spent"], *(secret for secret in before if secret not in signing)]
    return {"secret_id": str(fact.secret_id), "retired": retired, "spent": spent}


def _put(docs: Documents, recorded: Recorded, doc: Doc) -> None:
    docs.put(WEBHOOK_ENDPOINTS, recorded.stream, doc)
    known = docs.get(WEBHOOK_SUBSCRIBERS, recorded.organization) or {
        "organization": str(recorded.organization),
        "created": recorded.position,
        "endpoints": {},
    }
    endpoints = {**known["endpoints"]}
    endpoints.pop(doc["id"], None)
    if doc["enabled"]:
        endpoints[doc["id"]] = doc["events"]
    docs.put(WEBHOOK_SUBSCRIBERS, recorded.organization, {**known, "endpoints": endpoints})
