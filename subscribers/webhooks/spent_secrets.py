"""Forgets signing secrets that nothing will ever be signed with again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from psycopg import AsyncConnection

from kernel.ports.secrets import Secrets
from wire.times import parse


GRACE: Final = timedelta(days=1)
"""A sender that does not know yet may still sign with one for a moment; nobody does for so long."""

ENDPOINTS: Final = "SELECT doc FROM webhook_endpoints"


async def forget_spent(db: AsyncConnection[Any], secrets: Secrets, now: datetime) -> None:
    """Drop those of endpoints that are deleted, and those that were replaced and sign no more."""
    found = await db.execute(ENDPOINTS)
    docs = [msgspec.json.decode(doc) async for (doc,) in found]
    if spent := list(spent_secrets(docs, now - GRACE)):
        await secrets.drop_secrets(spent)


def spent_secrets(docs: Iterable[dict[str, Any]], before: datetime) -> Iterator[UUID]:
    """Which of the secrets of these endpoints have signed for the last time before an instant."""
    for doc in docs:
        over = parse(doc["modified_on"]) < before
        gone = over and doc["deleted"]
        for old in doc["retired"]:
            if gone or parse(old["signs_until"]) < before:
                yield UUID(old["secret_id"])
        if over:
            yield from map(UUID, doc["spent"])
        if gone:
            yield UUID(doc["secret_id"])
