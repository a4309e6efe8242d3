"""The endpoints as the sender knows them: addresses, switches and the secrets that sign."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from psycopg import AsyncConnection

from aggregates.webhook_endpoint.events import SignatureScheme
from kernel.ports.secrets import Secrets
from subscribers.webhooks.health import forgive
from wire.times import parse


CHANGED = (
    "SELECT id, organization, deleted, changed, doc FROM webhook_endpoints "
    "WHERE changed > %s ORDER BY changed"
)

CAUGHT_UP = (
    "SELECT count(*) > 0 FROM view_checkpoints c, webhooks.announced a "
    "WHERE c.name = 'views' AND c.position >= a.position"
)
"""False while views are built anew: their endpoints are then those of the past."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One endpoint that lives and is enabled; ``retired`` secrets sign until their instant."""

    id: UUID
    organization: UUID
    url: str
    scheme: SignatureScheme
    secret: UUID
    retired: tuple[tuple[UUID, datetime], ...]
    enabled_at: datetime

    def signing(self, at: datetime) -> list[UUID]:
        """The secrets that sign an attempt, the newest first."""
        return [self.secret, *(secret for secret, until in self.retired if at < until)]


class Endpoints:
    """All enabled endpoints, kept up with the view."""

    def __init__(self, secrets: Secrets) -> None:
        """Start from none."""
        self.enabled: dict[UUID, Endpoint] = {}
        self._secrets = secrets
        self._texts: dict[UUID, str] = {}
        self._seen = -1

    async def refresh(self, db: AsyncConnection[Any]) -> bool:
        """Take over what changed; False when the view cannot be relied on yet."""
        found = await (await db.execute(CAUGHT_UP)).fetchone()
        if found is None or not found[0]:
            return False
        changed = await db.execute(CHANGED, (self._seen,))
        again: dict[UUID, datetime] = {}
        for endpoint, organization, deleted, position, doc in await changed.fetchall():
            self._seen = position
            self.enabled.pop(endpoint, None)
            shown = msgspec.json.decode(doc)
            if not deleted and shown["enabled"]:
                self.enabled[endpoint] = _endpoint(endpoint, organization, shown)
                again[endpoint] = self.enabled[endpoint].enabled_at
        await forgive(db, again)
        return True

    async def secrets(self, endpoint: Endpoint, at: datetime) -> list[str]:
        """The texts that sign an attempt at this endpoint, the newest first."""
        return [await self._text(secret) for secret in endpoint.signing(at)]

    async def _text(self, secret: UUID) -> str:
        text = self._texts.get(secret)
        if text is None:
            value = await self._secrets.secret(secret)
            if value is None:
                raise LookupError(f"the signing secret {secret} is gone")
            text = self._texts[secret] = value.decode()
        return text


def _endpoint(endpoint: UUID, organization: UUID, doc: dict[str, Any]) -> Endpoint:
    return Endpoint(
        id=endpoint,
        organization=organization,
        url=doc["url"],
        scheme=SignatureScheme(doc["signature_scheme"]),
        secret=UUID(doc["secret_id"]),
        retired=tuple((UUID(r["secret_id"]), parse(r["signs_until"])) for r in doc["retired"]),
        enabled_at=parse(doc["enabled_at"]),
    )
