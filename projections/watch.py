"""Notices at once that the database server is gone, and with it perhaps the last rows of views.

Views are not flushed one by one: a server that crashes may come back without what they showed last,
until it is projected again. What was known of their position must be forgotten by then.
"""

from __future__ import annotations

import asyncio
from typing import Any

from psycopg import AsyncConnection, OperationalError

from projections.positions import Positions


TROUBLE_SECONDS = 0.5


class Watch:
    """Holds a connection on which nothing is ever said, until it breaks."""

    def __init__(self, url: str, positions: Positions) -> None:
        """``url`` is the database of the views."""
        self._url = url
        self._positions = positions

    async def run(self) -> None:
        """Watch until canceled."""
        db: AsyncConnection[Any]
        while True:
            try:
                async with await AsyncConnection.connect(self._url, autocommit=True) as db:
                    async for _ in db.notifies():
                        continue
            except OperationalError:
                self._positions.lost()
                await asyncio.sleep(TROUBLE_SECONDS)
