"""The API keys view: which keys an organization has handed out, without the keys."""

from __future__ import annotations

from typing import Any

from aggregates.api_key.events import (
    ApiKeyExpirySet,
    ApiKeyIssued,
    ApiKeyRenamed,
    ApiKeyRevoked,
)
from kernel.ports.event_store import Recorded
from projections.documents import Documents
from projections.table import Column, Doc, Table
from projections.view import View
from wire.api_key import api_key_out
from wire.times import instant


API_KEYS = Table(
    name="api_keys",
    columns=(Column("revoked", "boolean"),),
    buckets=("revoked",),
    render=api_key_out,
)

view = View("api_keys", API_KEYS)


@view.on(ApiKeyIssued)
def issued(docs: Documents, recorded: Recorded, fact: ApiKeyIssued) -> None:
    """A new row."""
    at = instant(fact.occurred_at)
    docs.put(
        API_KEYS,
        recorded.stream,
        {
            "id": str(recorded.stream),
            "organization": str(recorded.organization),
            "created": recorded.position,
            "kind": fact.kind.value,
            "name": fact.name,
            "hint": fact.hint,
            "expires_at": instant(fact.expires_at),
            "revoked": False,
            "created_on": at,
            "modified_on": at,
        },
    )


@view.on(ApiKeyRenamed, ApiKeyExpirySet, ApiKeyRevoked)
def changed(docs: Documents, recorded: Recorded, fact: Any) -> None:
    """Another name, another end, or out of the list."""
    doc = docs.get(API_KEYS, recorded.stream)
    if doc is None:
        raise LookupError(f"API key {recorded.stream} is not in the view")
    at = {"modified_on": instant(fact.occurred_at)}
    docs.put(API_KEYS, recorded.stream, {**doc, **_change(fact), **at})


def _change(fact: Any) -> Doc:
    match fact:
        case ApiKeyRenamed(name=name):
            return {"name": name}
        case ApiKeyExpirySet(expires_at=expires_at):
            return {"expires_at": instant(expires_at)}
        case _:
            return {"revoked": True}
