"""Runs a reaction over the log: own checkpoint, at least once, in order per owner (if it asks).

Facts of different owners are handled side by side, so one slow answer from outside does not hold up
the others. The checkpoint is the position below which everything is handled. A fact that cannot be
handled is tried again and again, loudly: nothing is skipped.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol
from uuid import UUID

from kernel.ports.event_store import EventStore, Recorded
from projections.positions import Positions


PAGE = 500
IN_FLIGHT = 256
POLL_SECONDS = 0.2
SAVE_SECONDS = 0.2
"""How often a checkpoint is written; what was handled since is handled again after a crash."""

BACKOFF_SECONDS = (0.05, 0.2, 1.0, 5.0, 15.0)
"""Before a fact is handled again."""

RESTART_SECONDS = (0.05, 0.2, 1.0, 2.0)
"""Before the log is read again: it stands still while the database is away, and not much longer."""

_log = logging.getLogger(__name__)


class Checkpoints(Protocol):
    """Where readers of the log keep how far they are, and which process reads."""

    async def acquire(self, name: str) -> int | None:
        """The position of a reader, if this process may read; None while another one does."""

    async def save(self, name: str, position: int) -> None:
        """Everything up to ``position`` is handled. Raises when the lock was lost."""

    async def release(self, name: str) -> None:
        """Let another process take over."""


@dataclass(frozen=True, slots=True)
class Reaction:
    """What a subscriber does: ``handle`` one fact of the types it wants, possibly twice.

    ``in_order``: facts of one owner wait for one another. ``stop`` ends what ``handle`` waits for;
    it then raises, and the fact is handled after the next start.
    """

    name: str
    wants: frozenset[type]
    handle: Callable[[Recorded], Awaitable[None]]
    in_order: bool = True
    stop: Callable[[], None] = lambda: None


@dataclass(slots=True)
class _Flight:
    """The facts that are being handled, and the last task of each owner."""

    positions: set[int] = field(default_factory=set)
    tasks: set[asyncio.Task[bool]] = field(default_factory=set)
    tails: dict[UUID, asyncio.Task[bool]] = field(default_factory=dict)


class Runner:
    """Drives one reaction for as long as this process holds its lock."""

    def __init__(self, reaction: Reaction, store: EventStore, checkpoints: Checkpoints) -> None:
        """``positions`` tells others how far the reaction is."""
        self.reaction = reaction
        self.positions = Positions(self.wake)
        self._store = store
        self._checkpoints = checkpoints
        self._wake = asyncio.Event()
        self._stopping = False
        self._flight = _Flight()
        self._read = 0
        self._saved = 0
        self._saved_at = 0.0
        self._failures = 0

    def wake(self, *_: object) -> None:
        """Something was appended: read on at once."""
        self._wake.set()

    def stop(self) -> None:
        """Finish what is in flight and return from ``run``."""
        self._stopping = True
        self.reaction.stop()
        self._wake.set()

    async def run(self) -> None:
        """React until stopped; takes up again after any trouble."""
        while not self._stopping:
            try:
                await self._hold()
            except Exception:  # noqa: BLE001 - whatever it is, shout and start again
                _log.exception("%s stopped reading and starts again", self.reaction.name)
                await self._checkpoints.release(self.reaction.name)
                await asyncio.sleep(RESTART_SECONDS[min(self._failures, len(RESTART_SECONDS) - 1)])
                self._failures += 1
        await self._checkpoints.release(self.reaction.name)

    async def _hold(self) -> None:
        position = await self._checkpoints.acquire(self.reaction.name)
        if position is None:
            self._failures = 0
            await self._rest()
            return
        self._read = self._saved = position
        self._flight = _Flight()
        try:
            while not self._stopping:
                self._wake.clear()
                found_more = await self._step()
                self._failures = 0
                if not found_more:
                    await self._rest()
            await self._land()
            await self._save(at_once=True)
        except BaseException:
            await self._abandon()
            raise

    async def _step(self) -> bool:
        """Take up a page if there is room; whether to look for more at once."""
        took = 0
        if len(self._flight.positions) < IN_FLIGHT:
            page = await self._store.read(self._read, PAGE)
            took = len(page)
            for recorded in page:
                self._read = recorded.position
                if type(recorded.fact) in self.reaction.wants:
                    self._take_off(recorded)
            if not page and self.positions.awaited:
                await self._report_head()
        await self._save()
        return took == PAGE or (took > 0 and self.positions.awaited)

    async def _report_head(self) -> None:
        """Positions beyond the last fact are holes; who waits for one has nothing to wait for."""
        head = await self._store.head()
        if not self._flight.positions and not await self._store.read(self._read, 1):
            self.positions.reached(head)

    def _take_off(self, recorded: Recorded) -> None:
        before = self._flight.tails.get(recorded.owner) if self.reaction.in_order else None
        self._flight.positions.add(recorded.position)
        task = asyncio.create_task(self._handle(recorded, before))
        self._flight.tails[recorded.owner] = task
        self._flight.tasks.add(task)
        task.add_done_callback(self._flight.tasks.discard)

    async def _handle(self, recorded: Recorded, before: asyncio.Task[bool] | None) -> bool:
        """Whether it was; nothing is when what the same owner did before was not."""
        if before is not None and not await _came_through(before):
            return False
        failures = 0
        while True:
            try:
                await self.reaction.handle(recorded)
            except Exception:  # noqa: BLE001 - never skip a fact, whatever goes wrong
                name, position = self.reaction.name, recorded.position
                _log.exception("%s cannot handle the fact at %s", name, position)
                if self._stopping:
                    return False
                await asyncio.sleep(BACKOFF_SECONDS[min(failures, len(BACKOFF_SECONDS) - 1)])
                failures += 1
            else:
                break
        was_full = len(self._flight.positions) >= IN_FLIGHT
        self._flight.positions.discard(recorded.position)
        if self._flight.tails.get(recorded.owner) is asyncio.current_task():
            del self._flight.tails[recorded.owner]
        self._tell()
        if was_full or self._stopping:
            self._wake.set()
        return True

    def _handled(self) -> int:
        """The position below which everything is handled."""
        return min(self._flight.positions) - 1 if self._flight.positions else self._read

    def _tell(self) -> None:
        self.positions.reached(self._handled())

    async def _save(self, *, at_once: bool = False) -> None:
        handled = self._handled()
        self._tell()
        now = time.monotonic()
        if handled > self._saved and (at_once or now - self._saved_at >= SAVE_SECONDS):
            await self._checkpoints.save(self.reaction.name, handled)
            self._saved, self._saved_at = handled, now

    async def _land(self) -> None:
        if self._flight.tasks:
            await asyncio.wait(self._flight.tasks)

    async def _abandon(self) -> None:
        """What was in flight is handled again by whoever reads next."""
        for task in self._flight.tasks:
            task.cancel()
        await self._land()

    async def _rest(self) -> None:
        try:
            async with asyncio.timeout(POLL_SECONDS):
                await self._wake.wait()
        except TimeoutError:
            return


async def _came_through(task: asyncio.Task[bool]) -> bool:
    await asyncio.wait([task])
    return not task.cancelled() and task.result()
