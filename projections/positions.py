"""How far the views are, and waiting until they have got somewhere (design 5: read-your-writes)."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable
from itertools import count


VIEW_WAIT_SECONDS = 2.0
"""So long an answer waits until the views show what it is about (design 5)."""


class Positions:
    """The position of the views as this process knows it.

    In the process that projects, ``reached`` is called after each batch. In the others a poller
    calls it (``projections.poller``).
    """

    def __init__(self, asked: Callable[[], None] = lambda: None) -> None:
        """Start from nothing; ``asked`` is called when somebody begins to wait."""
        self._asked = asked
        self.position = -1
        self.losses = 0
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._tickets = count()
        self.on_wait: asyncio.Event = asyncio.Event()

    def reached(self, position: int) -> None:
        """Wake everybody who waited for this position or an earlier one."""
        self.position = max(self.position, position)
        while self._waiting and self._waiting[0][0] <= self.position:
            _, _, future = heapq.heappop(self._waiting)
            if not future.done():
                future.set_result(None)

    def lost(self) -> None:
        """The database may have forgotten what was not on its disk yet: begin anew."""
        self.position = -1
        self.losses += 1

    async def wait(self, position: int, timeout_seconds: float) -> bool:
        """Wait until the views are there; False when that took too long."""
        if self.position >= position:
            return True
        future = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (position, next(self._tickets), future))
        self.on_wait.set()
        self._asked()
        try:
            async with asyncio.timeout(timeout_seconds):
                await future
        except TimeoutError:
            return False
        return True

    @property
    def awaited(self) -> bool:
        """Whether anybody waits."""
        return bool(self._waiting)
