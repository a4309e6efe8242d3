"""Follows the position of a reader in another process, while somebody here waits for it."""

from __future__ import annotations

import asyncio
from typing import Any

from psycopg import OperationalError
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from projections.positions import Positions


POLL_SECONDS = 0.005
TROUBLE_SECONDS = 0.5
VIEWS = "SELECT position FROM view_checkpoints WHERE name = 'views'"
READER = "SELECT position FROM checkpoints WHERE name = %s"


class Poller:
    """Asks the database only while ``positions`` has somebody waiting."""

    def __init__(
        self,
        pool: AsyncConnectionPool[Any],
        positions: Positions,
        *,
        query: str = VIEWS,
        parameters: tuple[Any, ...] = (),
    ) -> None:
        """``query`` gives the position as its only value."""
        self._pool = pool
        self._positions = positions
        self._query = query
        self._parameters = parameters

    async def run(self) -> None:
        """Poll until canceled."""
        while True:
            self._positions.on_wait.clear()
            if not self._positions.awaited:
                await self._positions.on_wait.wait()
            try:
                await self._poll()
                await asyncio.sleep(POLL_SECONDS)
            except (OperationalError, PoolTimeout):
                self._positions.lost()
                await asyncio.sleep(TROUBLE_SECONDS)

    async def _poll(self) -> None:
        losses = self._positions.losses
        async with self._pool.connection() as db:
            found = await db.execute(self._query, self._parameters)
            row = await found.fetchone()
        if row is not None and losses == self._positions.losses:
            self._positions.reached(int(row[0]))
