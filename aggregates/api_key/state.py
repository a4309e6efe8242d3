"""What decisions and authentication need to know of an API key."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import assert_never

from aggregates.api_key.events import (
    ApiKeyEvent,
    ApiKeyExpirySet,
    ApiKeyIssued,
    ApiKeyRenamed,
    ApiKeyRevoked,
    KeyKind,
)
from kernel.fold import Fold


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key as its facts leave it; an empty digest means that there is none."""

    kind: KeyKind = KeyKind.CLIENT
    name: str = ""
    digest: str = ""
    expires_at: datetime | None = None
    revoked: bool = False

    def works_at(self, now: datetime) -> bool:
        """Whether the key opens anything at this instant of real time."""
        if not self.digest or self.revoked:
            return False
        return self.expires_at is None or now < self.expires_at


def evolve(state: ApiKey, event: ApiKeyEvent) -> ApiKey:
    """Total and free of rules: what is recorded is true."""
    match event:
        case ApiKeyIssued():
            return ApiKey(event.kind, event.name, event.digest, event.expires_at)
        case ApiKeyRenamed(name=name):
            return replace(state, name=name)
        case ApiKeyExpirySet(expires_at=expires_at):
            return replace(state, expires_at=expires_at)
        case ApiKeyRevoked():
            return replace(state, revoked=True)
        case _:
            assert_never(event)


API_KEY = Fold("api_key", ApiKey(), evolve)
