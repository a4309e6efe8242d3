"""When instances last validated their key: beside log and views, best effort (design 3)."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from psycopg import Error
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from projections.table import Present
from wire.times import instant, seconds


TABLE: Final = "license_last_seen"
DDL: Final = (
    f"""CREATE TABLE IF NOT EXISTS public.{TABLE} (
        instance uuid PRIMARY KEY, seen_at timestamptz NOT NULL)""",
)
JOIN: Final = f"LEFT JOIN public.{TABLE} seen ON seen.instance = t.id"
COLUMN: Final = "seen.seen_at"

_log = logging.getLogger(__name__)


async def note(pool: AsyncConnectionPool[Any], instance_id: UUID, at: datetime) -> None:
    """Remember it; at most once a minute, and never a reason to refuse anything."""
    try:
        async with pool.connection() as db:
            await db.execute(
                f"INSERT INTO public.{TABLE} AS t (instance, seen_at) VALUES (%s, %s)"
                " ON CONFLICT (instance) DO UPDATE SET seen_at = excluded.seen_at"
                " WHERE excluded.seen_at > t.seen_at + interval '1 minute'",
                (instance_id, at),
            )
    except (Error, PoolTimeout) as trouble:
        _log.warning("when instance %s was seen is not kept: %s", instance_id, trouble)


def shown(value: datetime | None, present: Present) -> str | None:
    """With seconds precision; None: never."""
    del present
    return seconds(instant(value))
