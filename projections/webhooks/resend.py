"""Sends one event to one endpoint again, outside the order of its customer."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from psycopg import AsyncConnection


FIND: Final = (
    "SELECT a.event, a.endpoint, d.deleted, convert_from(d.doc, 'UTF8')::jsonb ->> 'enabled' "
    "FROM webhooks.attempts a JOIN webhook_endpoints d ON d.id = a.endpoint "
    "WHERE a.id = %s AND a.organization = %s AND a.last_attempt > now() - interval '30 days'"
)

LANE: Final = (
    "INSERT INTO webhooks.lanes (endpoint, lane, waiting, due_at) VALUES (%s, %s, 1, now()) "
    "ON CONFLICT DO NOTHING RETURNING lane"
)

DELIVERY: Final = "INSERT INTO webhooks.deliveries (event, endpoint, lane) VALUES (%s, %s, %s)"


async def find(
    db: AsyncConnection[Any], attempt: UUID, organization: UUID
) -> tuple[UUID, UUID, bool] | None:
    """Event and endpoint of an attempt, and whether the endpoint takes events; None: unknown."""
    found = await (await db.execute(FIND, (attempt, organization))).fetchone()
    if found is None or found[2]:
        return None
    return (found[0], found[1], found[3] == "true")


async def resend(db: AsyncConnection[Any], event: UUID, endpoint: UUID, lane: UUID) -> None:
    """Put the event into a lane of its own; the same lane twice is one resend."""
    async with db.transaction():
        made = await (await db.execute(LANE, (endpoint, lane))).fetchone()
        if made is not None:
            await db.execute(DELIVERY, (event, endpoint, lane))
