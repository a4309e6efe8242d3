"""Picks up the test clocks that have something to do, those of a process that died included."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from uuid import UUID

from projections.due import ClockAtWork
from subscribers.runner import BACKOFF_SECONDS, Checkpoints
from subscribers.test_clocks.advance import Advance, ClockTimers


NAME = "test clocks"
IDLE_SECONDS = 1.0
OVERDUE_SECONDS = 30.0
"""How long something overdue on a standing clock is left alone after it came to nothing."""

_log = logging.getLogger(__name__)


class ClockWorker:
    """One process at a time moves clocks; different clocks move side by side."""

    def __init__(
        self, timers: ClockTimers, checkpoints: Checkpoints, advance: Callable[[], Advance]
    ) -> None:
        """``advance`` makes what moves one clock once."""
        self._timers = timers
        self._checkpoints = checkpoints
        self._advance = advance
        self._moving: dict[UUID, tuple[Advance, asyncio.Task[None]]] = {}
        self._rested: dict[ClockAtWork, float] = {}
        self._wake = asyncio.Event()
        self._stopping = False

    def wake(self, *_: object) -> None:
        """Something was projected or appended: look at once."""
        self._wake.set()

    def stop(self) -> None:
        """Finish the steps in hand and return from ``run``."""
        self._stopping = True
        for advance, _ in self._moving.values():
            advance.stop()
        self._wake.set()

    async def run(self) -> None:
        """Move clocks until stopped; takes up again after any trouble."""
        failures = 0
        while not self._stopping:
            try:
                await self._hold()
                failures = 0
            except Exception:  # noqa: BLE001 - whatever it is, shout and start again
                _log.exception("test clocks stopped and start again")
                await asyncio.sleep(BACKOFF_SECONDS[min(failures, len(BACKOFF_SECONDS) - 1)])
                failures += 1
        await self._land()
        await self._checkpoints.release(NAME)

    async def _hold(self) -> None:
        if await self._checkpoints.acquire(NAME) is None:
            await self._rest()
            return
        try:
            while not self._stopping:
                self._wake.clear()
                await self.pick_up()
                await self._checkpoints.save(NAME, 0)  # raises once the lock is lost
                await self._rest()
        finally:
            await self._land()

    async def pick_up(self) -> None:
        """Begin with every clock that has something to do and is not moving here."""
        now = asyncio.get_running_loop().time()
        self._rested = {clock: until for clock, until in self._rested.items() if until > now}
        for clock in await self._timers.clocks_at_work():
            if clock.id not in self._moving and clock not in self._rested:
                advance = self._advance()
                task = asyncio.create_task(self._move(clock, advance))
                self._moving[clock.id] = (advance, task)

    async def _move(self, clock: ClockAtWork, advance: Advance) -> None:
        try:
            await advance.run(clock)
        except Exception:  # noqa: BLE001 - it is picked up again
            _log.exception("test clock %s does not get to %s", clock.id, clock.until)
            await asyncio.sleep(BACKOFF_SECONDS[-2])
        if clock.target is None:
            self._rested[clock] = asyncio.get_running_loop().time() + OVERDUE_SECONDS
        del self._moving[clock.id]
        self._wake.set()

    async def _land(self) -> None:
        tasks = [task for _, task in self._moving.values()]
        for advance, _ in self._moving.values():
            advance.stop()
        if tasks:
            await asyncio.wait(tasks)

    async def _rest(self) -> None:
        try:
            async with asyncio.timeout(IDLE_SECONDS):
                await self._wake.wait()
        except TimeoutError:
            return
