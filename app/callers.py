"""Who holds an API key: looked up in the log, remembered for a moment (design 12)."""

from __future__ import annotations

import hmac
import time
from collections import OrderedDict
from uuid import UUID

from adapters.event_store import PostgresEventStore
from aggregates.api_key import secret as spelling
from aggregates.api_key.state import API_KEY
from aggregates.organization.state import ORGANIZATION
from kernel.errors import Unauthenticated
from kernel.ports.clock import Clock
from kernel.tenant import Environment, Tenant
from wire.http.caller import Caller, KeyKind


MEMORY_SECONDS = 1.0
CAPACITY = 10_000


class StoredKeys:
    """Finds callers; a revocation is felt within ``MEMORY_SECONDS``."""

    def __init__(self, store: PostgresEventStore, clock: Clock, environment: Environment) -> None:
        """A key of the other environment is refused without a look."""
        self._store = store
        self._clock = clock
        self._environment = environment
        self._tenants: dict[UUID, Tenant] = {}
        self._remembered: OrderedDict[str, tuple[float, Caller]] = OrderedDict()

    async def authenticate(self, key: str) -> Caller:
        """The caller. Raises Unauthenticated."""
        known = self._remembered.get(key)
        if known and time.monotonic() < known[0]:
            return known[1]
        if spelling.environment_of(key) is not self._environment:
            raise Unauthenticated
        caller = await self._find(key)
        self._remembered[key] = (time.monotonic() + MEMORY_SECONDS, caller)
        if len(self._remembered) > CAPACITY:
            self._remembered.popitem(last=False)
        return caller

    async def _find(self, key: str) -> Caller:
        kept = spelling.keep(key)
        history = await self._store.load(kept.id)
        state = API_KEY.of(history.facts)
        if history.owner is None or not state.works_at(self._clock.now()):
            raise Unauthenticated
        if not hmac.compare_digest(state.digest, kept.digest):
            raise Unauthenticated
        return Caller(await self._tenant(history.owner), kept.id, KeyKind(state.kind))

    async def _tenant(self, organization: UUID) -> Tenant:
        tenant = self._tenants.get(organization)
        if tenant is None:
            state = ORGANIZATION.of((await self._store.load(organization)).facts)
            secret = await self._store.secret(state.secret_id)
            if secret is None:
                raise Unauthenticated
            tenant = Tenant(organization, state.slug, secret, self._environment)
            self._tenants[organization] = tenant
        return tenant
