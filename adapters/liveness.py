"""Whether the server behind a connection that waits in a pool is still there."""

from __future__ import annotations

import select
from typing import Any

from psycopg import AsyncConnection


async def alive(db: AsyncConnection[Any]) -> None:
    """For pools, before they hand a connection out. Raises OperationalError: take another one.

    A server that ends says so, or its socket closes: there is something to read that nobody asked
    for. Only then is it asked, so that this costs a system call and no round trip.
    """
    unread = select.poll()
    unread.register(db.pgconn.socket, select.POLLIN)
    if unread.poll(0):
        await db.execute("")
