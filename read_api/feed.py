"""Lets many readers of the feed wait for the log to grow, at the cost of one."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass

from psycopg import OperationalError
from psycopg_pool import PoolTimeout

from kernel.ports.fact_stream import FactStream


LOOK_SECONDS = 0.2
"""How often the head is asked for while somebody waits; a wake comes sooner."""


class Following:
    """Where the log ends, followed while somebody waits for more.

    A part of a process that serves: once stopped, every reader's stream ends and it comes back to
    another process with the position it had.
    """

    def __init__(self, stream: FactStream) -> None:
        """Begin when ``run``."""
        self._stream = stream
        self._head = 0
        self._grown = asyncio.Event()
        self._wanted = asyncio.Event()
        self._woken = asyncio.Event()
        self._waiting = 0
        self.stopped = asyncio.Event()

    def wake(self, *_: object) -> None:
        """Something was appended, here or elsewhere."""
        self._woken.set()

    def stop(self) -> None:
        """End all that follow."""
        self.stopped.set()
        self._release()

    async def run(self) -> None:
        """Follow until stopped."""
        looking = asyncio.create_task(self._look_for_ever())
        await self.stopped.wait()
        looking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await looking

    async def beyond(self, position: int, timeout_seconds: float) -> bool:
        """Wait until the log has more than that; False after the time or when all ends."""
        self._waiting += 1
        self._wanted.set()
        try:
            async with asyncio.timeout(timeout_seconds):
                while self._head <= position and not self.stopped.is_set():
                    await self._grown.wait()
        except TimeoutError:
            return False
        finally:
            self._waiting -= 1
        return not self.stopped.is_set()

    async def _look_for_ever(self) -> None:
        while True:
            if not self._waiting:
                self._wanted.clear()
                await self._wanted.wait()
            with contextlib.suppress(OperationalError, PoolTimeout):  # looked for again
                self._saw(await self._stream.head())
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._woken.wait()
            self._woken.clear()

    def _saw(self, head: int) -> None:
        if head > self._head:
            self._head = head
            self._release()

    def _release(self) -> None:
        """Wake all who wait now; those who come later wait for the next growth."""
        self._grown.set()
        self._grown = asyncio.Event()


@dataclass(frozen=True, slots=True)
class Feed:
    """The log as a process serves it; ``source`` names it in every event."""

    stream: FactStream
    source: str
    following: Following
