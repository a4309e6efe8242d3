"""What happens to an API key; no fact holds the key itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class KeyKind(StrEnum):
    """What a key may do: a server key everything, a client key what browsers need."""

    SERVER = "server"
    CLIENT = "client"


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKeyIssued:
    """A key was handed out, once. ``digest`` is its SHA-256 in hex, ``hint`` its last characters.

    It works until ``expires_at`` (real time), or until it is revoked.
    """

    kind: KeyKind
    name: str
    digest: str
    hint: str
    expires_at: datetime | None
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKeyRenamed:
    """The key is called something else now."""

    name: str
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKeyExpirySet:
    """The key works until this instant of real time, or without end."""

    expires_at: datetime | None
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKeyRevoked:
    """The key does not work any more, for good."""

    occurred_at: datetime


ApiKeyEvent = ApiKeyIssued | ApiKeyRenamed | ApiKeyExpirySet | ApiKeyRevoked
