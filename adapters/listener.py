"""Hears from other processes that the log has grown, so that readers need not poll for it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterable
from typing import Any

from psycopg import AsyncConnection, OperationalError

from adapters.notifier import CHANNEL


RECONNECT_SECONDS = 1.0

_log = logging.getLogger(__name__)


class Listener:
    """Wakes the readers of this process; a hint only, for they poll as well."""

    def __init__(
        self, url: str, wake: Iterable[Callable[[], None]], own: Callable[[], int | None]
    ) -> None:
        """Connect when run; ``own`` is who tells of what was appended here, where it is known."""
        self._url = url
        self._own = own
        self._wake = tuple(wake)
        self._stopped = asyncio.Event()

    def stop(self) -> None:
        """Return from ``run``."""
        self._stopped.set()

    async def run(self) -> None:
        """Listen until stopped; survives the loss of its connection."""
        hearing = asyncio.create_task(self._hear_for_ever())
        await self._stopped.wait()
        hearing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await hearing

    async def _hear_for_ever(self) -> None:
        while True:
            try:
                await self._hear()
            except OperationalError as error:
                _log.warning("listening again in %s s: %s", RECONNECT_SECONDS, error)
                await asyncio.sleep(RECONNECT_SECONDS)

    async def _hear(self) -> None:
        db: AsyncConnection[Any] = await AsyncConnection.connect(self._url, autocommit=True)
        async with db:
            await db.execute(f"LISTEN {CHANNEL}")
            self._wake_all()  # something may have been said before
            async for told in db.notifies():
                if told.pid != self._own():
                    self._wake_all()

    def _wake_all(self) -> None:
        for wake in self._wake:
            wake()
