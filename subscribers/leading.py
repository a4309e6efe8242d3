"""Publishes for as long as this process holds the lease, and begins again after any trouble.

What all publishers to a broker have in common: one of several processes publishes, one that stands
still loses the lease, and the broker's fence keeps it from committing when it wakes (design 10).
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final, Protocol

from kernel.ports.broker import Broker, Fenced


STANDBY_SECONDS: Final = 1.0
GRACE_SECONDS: Final = 5.0
"""At the end, a transaction under way is waited for no longer than this."""

BACKOFF_SECONDS: Final = (0.1, 0.5, 1.0, 2.0, 5.0)

_log = logging.getLogger(__name__)


class Leases(Protocol):
    """Where the publisher keeps how far it is, and which process publishes."""

    async def acquire(self, name: str) -> int | None:
        """The position reached, if this process may publish; None while another one does."""

    async def save(self, name: str, position: int) -> None:
        """Everything up to ``position`` is published. Raises when the lease was lost."""

    async def renew(self, name: str) -> None:
        """Go on holding the lease. Raises when it was lost."""

    async def release(self, name: str) -> None:
        """Let another process take over."""


class Leading(ABC):
    """One publisher; ``name`` is that of its lease."""

    def __init__(
        self, name: str, broker: Broker, leases: Leases, *, renew_seconds: float = 3.0
    ) -> None:
        """``renew_seconds`` is well below the lease's own length."""
        self.name = name
        self._broker = broker
        self._leases = leases
        self._renew_seconds = renew_seconds
        self._wake = asyncio.Event()
        self._stopped = asyncio.Event()
        self._failures = 0

    @abstractmethod
    async def _lead(self, position: int) -> None:
        """Publish from a position until stopped; sets ``_failures`` to 0 when all is well."""

    def wake(self, *_: object) -> None:
        """Something was appended: read on at once."""
        self._wake.set()

    def stop(self) -> None:
        """Finish the transaction in hand, if the broker lets it, and return from ``run``."""
        self._stopped.set()
        self._wake.set()

    async def run(self) -> None:
        """Publish until stopped; takes up again after any trouble."""
        while not self._stopped.is_set():
            try:
                await self._hold()
            except Fenced:
                _log.warning("another publisher has taken over: standing by")
                await self._let_go()
            except Exception as trouble:  # noqa: BLE001 whatever it is, say so and start again
                _log.warning("publishing starts again: %s", trouble, exc_info=not self._failures)
                await self._let_go()
        await self._let_go()

    async def _let_go(self) -> None:
        await self._broker.close()
        try:
            await self._leases.release(self.name)
        except Exception as trouble:  # noqa: BLE001 the session may be what was lost
            _log.info("the lease of %s runs out by itself: %s", self.name, trouble)
        pause = BACKOFF_SECONDS[min(self._failures, len(BACKOFF_SECONDS) - 1)]
        self._failures += 1
        await until(self._stopped, pause)

    async def _hold(self) -> None:
        position = await self._leases.acquire(self.name)
        if position is None:
            await until(self._stopped, STANDBY_SECONDS)
            return
        renewing = asyncio.create_task(self._renew())
        try:
            await self._unless_stopped(self._lead(position), renewing)
        finally:
            renewing.cancel()

    async def _unless_stopped(
        self, publishing: Coroutine[Any, Any, None], renewing: asyncio.Task[None]
    ) -> None:
        """Until it ends by itself, the lease is lost, or the grace after a stop is over."""
        task = asyncio.create_task(publishing)
        stopped = asyncio.create_task(self._stopped.wait())
        try:
            await asyncio.wait([task, stopped, renewing], return_when=asyncio.FIRST_COMPLETED)
            if not task.done() and not renewing.done():
                await asyncio.wait([task], timeout=GRACE_SECONDS)
        finally:
            stopped.cancel()
            task.cancel()
            await asyncio.wait([task])
        for each in (task, renewing):
            if each.done() and not each.cancelled():
                await each

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(self._renew_seconds)
            await self._leases.renew(self.name)


async def until(event: asyncio.Event, seconds: float) -> None:
    """Wait for the event, but not longer."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
