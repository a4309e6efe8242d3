"""The API key as clients write and read it (design 12)."""

from __future__ import annotations

from typing import Any

from aggregates.api_key.events import KeyKind
from wire.base import In
from wire.fields import Instant, ShortText
from wire.times import seconds


class ApiKeyIn(In):
    """A new key. Without ``expiresAt`` it works until it is revoked."""

    kind: KeyKind
    name: ShortText = ""
    expires_at: Instant | None = None


class ApiKeyChangesIn(In):
    """What PATCH may name; ``expiresAt`` null lets the key work without end."""

    name: ShortText | None = None
    expires_at: Instant | None = None


def api_key_out(doc: dict[str, Any]) -> dict[str, Any]:
    """The key record; the key itself is in the answer to create alone."""
    return {
        "id": doc["id"],
        "kind": doc["kind"],
        "name": doc["name"],
        "hint": doc["hint"],
        "expiresAt": seconds(doc["expires_at"]),
        "createdOn": seconds(doc["created_on"]),
        "modifiedOn": seconds(doc["modified_on"]),
    }
