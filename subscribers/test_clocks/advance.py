"""One advance of a test clock, from the first due timer to the last (design 6)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from commands.context import Context
from commands.test_clocks.finish_advance import FinishAdvance
from kernel.ids import derived_id
from kernel.timer import Timer
from projections.positions import Positions
from subscribers.runner import BACKOFF_SECONDS
from subscribers.test_clocks.inline import Inline
from subscribers.test_clocks.life import Life
from subscribers.timers.firing import Firing


AT_ONCE = 32
"""Customers whose time goes on side by side."""

TRIES = 4
"""A timer that comes to nothing this often does not hold up the clock any longer."""

WAIT_SECONDS = 0.2
SHOUT = 50
PATIENCE = 150
"""A reaction that is stuck for this many waits does not hold up the clock any longer."""

CHAIN = 3
"""A reaction may lead to another: how often the log is caught up with."""

_log = logging.getLogger(__name__)


class ClockTimers(Protocol):
    """Where the timers of test clocks are looked up (``projections.due``)."""

    async def on_test_clock(self, clock: UUID, until: datetime, at: int) -> list[Timer]:
        """All timers of a clock that are due by then, as of a position.

        Raises ViewsBehindError.
        """


class StoppedError(Exception):
    """The process stops; the clock goes on after the next start."""


@dataclass(frozen=True, slots=True)
class Way:
    """Where a test clock stands and where it goes; ``target`` None: to make up for the past."""

    clock: UUID
    organization: UUID
    frozen_time: datetime
    target: datetime | None

    @property
    def until(self) -> datetime:
        """What is due by then is to be done."""
        return self.target or self.frozen_time


class Advance:
    """Moves one clock; killed anywhere, another one goes on from what the log says."""

    def __init__(
        self,
        timers: ClockTimers,
        firing: Firing,
        inline: Inline,
        views: Positions,
        readers: Sequence[Positions] = (),
    ) -> None:
        """``readers`` are the reactions that have to be done when a clock stands again."""
        self._timers = timers
        self._firing = firing
        self._inline = inline
        self._views = views
        self._readers = tuple(readers)
        self._tries: dict[Timer, int] = {}
        self._room = asyncio.Semaphore(AT_ONCE)
        self._stopping = False

    def stop(self) -> None:
        """Give up after the steps in hand."""
        self._stopping = True

    async def run(self, way: Way) -> None:
        """Do all that is due by then, and let the clock stand. Raises StoppedError."""
        await self._settle()
        while due := await self._due(way):
            await self._live(way, due)
        await self._settle()
        await self._finish(way)

    async def _due(self, way: Way) -> list[Timer]:
        at = await self._caught_up(self._views)
        due = await self._timers.on_test_clock(way.clock, way.until, at)
        return [timer for timer in due if self._tries.get(timer, 0) < TRIES]

    async def _live(self, way: Way, due: Sequence[Timer]) -> None:
        by_owner: dict[UUID, list[Timer]] = {}
        for timer in due:
            by_owner.setdefault(timer.owner, []).append(timer)
        async with asyncio.TaskGroup() as group:
            for owner, timers in by_owner.items():
                group.create_task(self._one(way, Life(owner, timers)))

    async def _one(self, way: Way, life: Life) -> None:
        async with self._room:
            while (timer := life.next_due(way.until)) is not None:
                if self._stopping:
                    raise StoppedError
                at = max(timer.due_at, way.frozen_time)
                if not await life.step(timer, self._firing, self._inline, at):
                    if life.stuck is not None:
                        await self._stuck(life.stuck, life.error)
                    return  # what is left is found in the view

    async def _stuck(self, timer: Timer, error: Exception | None) -> None:
        tries = self._tries[timer] = self._tries.get(timer, 0) + 1
        _log.warning(
            "timer %s of %s, due %s, came to nothing (%d of %d tries)",
            timer.kind,
            timer.subject,
            timer.due_at,
            tries,
            TRIES,
            exc_info=error,
        )
        await asyncio.sleep(BACKOFF_SECONDS[min(tries, len(BACKOFF_SECONDS)) - 1])

    async def _settle(self) -> None:
        """Let all readers of the log have what happened so far."""
        for _ in range(CHAIN):
            for reader in (*self._readers, self._views):
                await self._caught_up(reader)

    async def _caught_up(self, reader: Positions) -> int:
        """Wait for a reader; without the views nothing goes on, a reaction may be stuck.

        The last position of the log that the reader has.
        """
        store = self._firing.bus.store
        head = await store.head()
        waited = 0
        while not await reader.wait(head, WAIT_SECONDS):
            if self._stopping:
                raise StoppedError
            waited += 1
            if not await store.read(reader.position, 1):
                return reader.position  # the head is a hole
            if waited % SHOUT == 0:
                _log.warning("a test clock waits for a reader of the log to get to %d", head)
            if reader is not self._views and waited >= PATIENCE:
                return reader.position
        return head

    async def _finish(self, way: Way) -> None:
        if way.target is None:
            return
        command_id = derived_id(way.clock, "finish", way.target.isoformat(), way.frozen_time)
        context = Context(
            tenant=await self._firing.tenants.get(way.organization),
            actor="worker:test_clocks",
            command_id=command_id,
            persistent=True,
        )
        await self._firing.bus.dispatch(
            FinishAdvance(test_clock_id=way.clock, target=way.target), context
        )
