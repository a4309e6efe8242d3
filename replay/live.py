"""The running views: how far they are, and how they are made to begin again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from psycopg import AsyncConnection

from projections import engine


Connection = AsyncConnection[Any]

POSITION = (
    f"SELECT coalesce((SELECT position FROM {engine.SCHEMA}.view_checkpoints WHERE name = %s), 0),"
    " (SELECT position FROM webhooks.announced)"
)
HALT = (
    f"UPDATE {engine.SCHEMA}.view_checkpoints SET epoch = epoch + 1 WHERE name = %s"
    " RETURNING position, epoch"
)


@dataclass(frozen=True, slots=True)
class Live:
    """``position`` of the views, and up to where webhook events were made.

    Views may be behind what was announced (they were dropped, and are built again); they are never
    ahead, and a rebuild may not be either: the pass would never announce what it skips.
    """

    position: int
    announced: int

    @property
    def furthest(self) -> int:
        """How far views may be built without their pass."""
        return max(self.position, self.announced)


async def live(db: Connection) -> Live:
    """Where the running views are."""
    found = await db.execute(POSITION, (engine.CHECKPOINT,))
    row = await found.fetchone()
    if row is None:
        raise LookupError("this database has no views")
    return Live(int(row[0]), int(row[1]))


async def halt(db: Connection) -> tuple[int, int]:
    """Hold the running pass until the end of this transaction; it then begins anew.

    Returns the position it has reached and its new epoch. The pass compares the epoch when it
    saves, so a batch that waits for this transaction is thrown away, not written into other tables.
    """
    await db.execute(
        f"INSERT INTO {engine.SCHEMA}.view_checkpoints (name, position, epoch) VALUES (%s, 0, 0)"
        " ON CONFLICT DO NOTHING",
        (engine.CHECKPOINT,),
    )
    found = await db.execute(HALT, (engine.CHECKPOINT,))
    row = await found.fetchone()
    if row is None:
        raise LookupError("this database has no views")
    return int(row[0]), int(row[1])
