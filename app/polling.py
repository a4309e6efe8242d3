"""How a process that does not keep the views learns how far they are."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from psycopg_pool import AsyncConnectionPool

from projections.poller import Poller
from projections.positions import Positions
from projections.watch import Watch


class Polling:
    """The poller, and what makes it forget, as a part of a process."""

    def __init__(self, pool: AsyncConnectionPool[Any], positions: Positions, url: str) -> None:
        """Take the read side of the process; ``url`` is where its views are."""
        self._followers = (Poller(pool, positions), Watch(url, positions))
        self._asked = asyncio.Event()

    async def run(self) -> None:
        """Poll, while somebody waits, until stopped."""
        following = asyncio.gather(*(follower.run() for follower in self._followers))
        await self._asked.wait()
        following.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await following

    def stop(self) -> None:
        """Return from ``run``."""
        self._asked.set()
