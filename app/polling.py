"""How a process that does not keep the views learns how far they are."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from psycopg_pool import AsyncConnectionPool

from projections.poller import Poller
from projections.positions import Positions


class Polling:
    """The poller as a part of a process."""

    def __init__(self, pool: AsyncConnectionPool[Any], positions: Positions) -> None:
        """Take the read side of the process."""
        self._poller = Poller(pool, positions)
        self._asked = asyncio.Event()

    async def run(self) -> None:
        """Poll, while somebody waits, until stopped."""
        polling = asyncio.create_task(self._poller.run())
        await self._asked.wait()
        polling.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await polling

    def stop(self) -> None:
        """Return from ``run``."""
        self._asked.set()
