"""Decisions about API keys."""

from __future__ import annotations

from datetime import datetime

from aggregates.api_key.events import (
    ApiKeyExpirySet,
    ApiKeyIssued,
    ApiKeyRenamed,
    ApiKeyRevoked,
    KeyKind,
)
from aggregates.api_key.secret import Kept
from aggregates.api_key.state import ApiKey
from kernel.errors import Conflict, InvalidFields, NotFound


class ApiKeyNotFound(NotFound):
    """API key not found."""

    code = "api_key_not_found"


class ApiKeyTaken(Conflict):
    """Somebody uses this key already."""

    code = "api_key_taken"


def issue(
    state: ApiKey,
    *,
    kind: KeyKind,
    name: str,
    kept: Kept,
    expires_at: datetime | None,
    at: datetime,
) -> list[ApiKeyIssued]:
    """Hand out a key that nobody has had before."""
    if state.digest:
        raise ApiKeyTaken
    _must_be_ahead(expires_at, at)
    return [
        ApiKeyIssued(
            kind=kind,
            name=name,
            digest=kept.digest,
            hint=kept.hint,
            expires_at=expires_at,
            occurred_at=at,
        )
    ]


def rename(state: ApiKey, *, name: str, at: datetime) -> list[ApiKeyRenamed]:
    """Call the key something else; the same name again changes nothing."""
    require(state)
    return [] if name == state.name else [ApiKeyRenamed(name=name, occurred_at=at)]


def expire(state: ApiKey, *, expires_at: datetime | None, at: datetime) -> list[ApiKeyExpirySet]:
    """Let the key work until then, or without end."""
    require(state)
    if expires_at == state.expires_at:
        return []
    _must_be_ahead(expires_at, at)
    return [ApiKeyExpirySet(expires_at=expires_at, occurred_at=at)]


def revoke(state: ApiKey, *, at: datetime) -> list[ApiKeyRevoked]:
    """End the key for good."""
    require(state)
    return [ApiKeyRevoked(occurred_at=at)]


def require(state: ApiKey) -> None:
    """Refuse a key that is not there, or no longer. Raises ApiKeyNotFound."""
    if not state.digest or state.revoked:
        raise ApiKeyNotFound


def _must_be_ahead(expires_at: datetime | None, at: datetime) -> None:
    if expires_at is not None and expires_at <= at:
        raise InvalidFields({"expiresAt": ["This must lie in the future."]})
