"""Whether the views are as far as somebody needs them: asked of the database, not of memory."""

from __future__ import annotations

from typing import Any

from psycopg import AsyncConnection

from projections.poller import VIEWS


class ViewsBehindError(Exception):
    """The views do not show yet what is asked for; tried again."""


async def demand(db: AsyncConnection[Any], position: int) -> None:
    """Return if the views that this session reads have got there. Raises ViewsBehindError.

    Rows and checkpoint are not on disk at once: after a crash of the server they may be behind what
    a process remembers of them (``projections.positions``), for as long as nobody keeps them. Who
    acts once on what it finds there asks here first, in the session that it then reads with.
    """
    row = await (await db.execute(VIEWS)).fetchone()
    if row is None or row[0] < position:
        raise ViewsBehindError
