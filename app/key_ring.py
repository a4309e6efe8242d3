"""Finds the caller behind an API key (spec: Authentication, design 12)."""

from __future__ import annotations

import hmac
import time
from collections import OrderedDict
from dataclasses import dataclass
from uuid import UUID

from aggregates.api_key.secret import environment_of, keep
from aggregates.api_key.state import API_KEY, ApiKey
from app.tenants import Tenants
from commands.state_cache import StateCache
from kernel.errors import Unauthenticated
from kernel.ports.clock import Clock
from kernel.ports.event_store import EventStore
from wire.http.caller import Caller


FRESH_SECONDS = 1.0
"""A revocation in another process takes effect within this time; in this process at once."""

MOST_KEYS = 10_000


class InvalidApiKey(Unauthenticated):
    """Invalid API key."""

    code = "invalid_api_key"


class ApiKeyExpired(Unauthenticated):
    """The API key has expired."""

    code = "api_key_expired"


class ApiKeyOfOtherEnvironment(Unauthenticated):
    """The API key belongs to the other environment."""

    code = "api_key_of_other_environment"


@dataclass(frozen=True, slots=True)
class _Seen:
    """A key as the log had it, and when this process looked."""

    key: ApiKey
    version: int
    owner: UUID
    looked_at: float


class KeyRing:
    """Reads keys from the log itself, by their digest, through a short cache."""

    def __init__(
        self, store: EventStore, tenants: Tenants, states: StateCache, clock: Clock
    ) -> None:
        """``states`` tells of keys that this process changed itself."""
        self._store = store
        self._tenants = tenants
        self._states = states
        self._clock = clock
        self._seen: OrderedDict[UUID, _Seen] = OrderedDict()

    async def authenticate(self, key: str) -> Caller:
        """The caller. Raises InvalidApiKey, ApiKeyExpired, ApiKeyOfOtherEnvironment."""
        kept = keep(key)
        seen = self._cached(kept.id) or await self._look(kept.id)
        if seen is None or seen.key.revoked or not _same(seen.key.digest, kept.digest):
            raise self._refusal(key)
        if not seen.key.works_at(self._clock.now()):
            raise ApiKeyExpired
        return Caller(await self._tenants.get(seen.owner), kept.id, seen.key.kind)

    def _cached(self, key_id: UUID) -> _Seen | None:
        seen = self._seen.get(key_id)
        if seen is None or time.monotonic() - seen.looked_at > FRESH_SECONDS:
            return None
        newest = self._states.get(API_KEY.kind, key_id)
        return seen if newest is None or newest.version <= seen.version else None

    async def _look(self, key_id: UUID) -> _Seen | None:
        looked_at = time.monotonic()
        history = await self._store.load(key_id)
        if history.owner is None:
            return None
        seen = _Seen(API_KEY.of(history.facts), history.version, history.owner, looked_at)
        self._seen[key_id] = seen
        self._seen.move_to_end(key_id)
        if len(self._seen) > MOST_KEYS:
            self._seen.popitem(last=False)
        return seen

    def _refusal(self, key: str) -> Unauthenticated:
        named = environment_of(key)
        if named is not None and named is not self._tenants.environment:
            return ApiKeyOfOtherEnvironment(f"The API key belongs to the {named} environment.")
        return InvalidApiKey()


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one, other)
