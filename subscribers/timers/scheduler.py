"""Fires real-time timers when they are due: in order per customer, side by side for all others.

A pass goes through what is due in pages. Of each customer only what is due within a day of the
first is fired in one pass: all that a timer leads to is due a day later at the earliest, and must
be in the view before anything after it runs. So months of downtime are made up for in order.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Protocol
from uuid import UUID

from kernel.ports.clock import Clock
from kernel.timer import Timer, TimerKind
from projections.positions import Positions
from subscribers.runner import BACKOFF_SECONDS, Checkpoints
from subscribers.timers.firing import Firing
from subscribers.timers.patience import Patience


NAME = "timers"
PAGE = 200
AT_ONCE = 32
"""Commands in flight: enough to share flushes, few enough to leave room for the API."""

PASS_LIMIT = 5_000
"""Timers fired before the views are waited for and the pass begins anew."""

SPAWN_DISTANCE = timedelta(days=1)
IDLE_SECONDS = 0.5
WOKEN_SECONDS = 0.1
VIEW_WAIT_SECONDS = 5.0

_log = logging.getLogger(__name__)


class WallClockTimers(Protocol):
    """Where timers are looked up (``projections.due``)."""

    async def by_wall_clock(self, after: Timer | None, limit: int) -> list[Timer]:
        """The next timers, due or not, in order, beyond ``after``."""


class Scheduler:
    """Runs in as many processes as one likes; one at a time holds the lock and works."""

    def __init__(
        self,
        timers: WallClockTimers,
        firing: Firing,
        views: Positions,
        checkpoints: Checkpoints,
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """``views`` tells how far the timers view is."""
        self._timers = timers
        self._firing = firing
        self._views = views
        self._checkpoints = checkpoints
        self._clock: Clock = firing.bus.clock
        self._patience = Patience(monotonic)
        self._wake = asyncio.Event()
        self._stopping = False
        self._fired: dict[UUID, Timer] = {}
        self._awaited = 0
        self._next_due: datetime | None = None

    def wake(self, *_: object) -> None:
        """Something was appended, or the clock was moved: look again soon."""
        self._wake.set()

    def stop(self) -> None:
        """Finish what is in flight and return from ``run``."""
        self._stopping = True
        self._wake.set()

    async def run(self) -> None:
        """Fire what is due until stopped; takes up again after any trouble."""
        failures = 0
        while not self._stopping:
            try:
                await self._hold()
                failures = 0
            except Exception:  # noqa: BLE001 - whatever it is, shout and start again
                _log.exception("the scheduler stopped and starts again")
                await asyncio.sleep(BACKOFF_SECONDS[min(failures, len(BACKOFF_SECONDS) - 1)])
                failures += 1
        await self._checkpoints.release(NAME)

    async def _hold(self) -> None:
        if await self._checkpoints.acquire(NAME) is None:
            await self._rest(IDLE_SECONDS)
            return
        while not self._stopping:
            self._wake.clear()
            if not await self.fire_due():
                await self._checkpoints.save(NAME, 0)  # raises once the lock is lost
                await self._rest(self._seconds_to_wait())

    async def fire_due(self) -> int:
        """One pass over what is due; how many timers fired."""
        if not await self._views.wait(self._awaited, VIEW_WAIT_SECONDS):
            _log.warning("the timers view is behind; nothing fires until it has caught up")
            return 0
        before, self._fired = self._fired, {}
        seen: set[UUID] = set()
        first: dict[UUID, datetime] = {}
        after: Timer | None = None
        while not self._stopping and len(self._fired) < PASS_LIMIT:
            page = await self._timers.by_wall_clock(after, PAGE)
            now = self._clock.now()
            due = [timer for timer in page if timer.due_at <= now]
            self._next_due = next((timer.due_at for timer in page if timer.due_at > now), None)
            seen.update(timer.id for timer in due)
            await self._fire_all([t for t in due if self._may_fire(t, before, first)])
            if len(due) < PAGE:
                self._patience.keep(seen)
                break
            after = page[-1]
        return len(self._fired)

    def _may_fire(
        self, timer: Timer, before: dict[UUID, Timer], first: dict[UUID, datetime]
    ) -> bool:
        """Whether it is this timer's turn."""
        if before.get(timer.id) == timer:
            self._patience.changed_nothing(timer)
        if not self._patience.allows(timer):
            return False
        if timer.kind is TimerKind.RECONCILIATION:
            return True  # a question has no place in the order of a customer's affairs
        begun = first.setdefault(timer.owner, timer.due_at)
        return timer.due_at < begun + SPAWN_DISTANCE

    async def _fire_all(self, due: Sequence[Timer]) -> None:
        by_owner: dict[UUID, list[Timer]] = {}
        for timer in due:
            by_owner.setdefault(timer.owner, []).append(timer)
        room = asyncio.Semaphore(AT_ONCE)

        async def one(timers: Sequence[Timer]) -> None:
            async with room:
                for timer in timers:
                    await self._fire(timer)

        async with asyncio.TaskGroup() as group:
            for timers in by_owner.values():
                group.create_task(one(timers))

    async def _fire(self, timer: Timer) -> None:
        try:
            outcome = await self._firing.fire(timer)
        except Exception as error:  # noqa: BLE001 - one that fails must not stop the others
            self._patience.failed(timer, error)
            return
        self._fired[timer.id] = timer
        if outcome is not None:
            self._awaited = max(self._awaited, outcome.position)

    def _seconds_to_wait(self) -> float:
        waits = [IDLE_SECONDS]
        if self._next_due is not None:
            waits.append(max(0.0, (self._next_due - self._clock.now()).total_seconds()))
        left = self._patience.seconds_left()
        if left is not None:
            waits.append(max(WOKEN_SECONDS, left))
        return min(waits)

    async def _rest(self, seconds: float) -> None:
        """Sleep until something is due; what is appended meanwhile is looked at in a moment."""
        try:
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        except TimeoutError:
            return
        if not self._stopping:
            await asyncio.sleep(min(seconds, WOKEN_SECONDS))
