"""Tells other processes that the log has grown: a hint, never relied upon (design 4)."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Any

import psycopg
from psycopg import AsyncConnection


CHANNEL = "billstream_log"
PAUSE_SECONDS = 0.005
"""Between two notifications: under load a hint per batch would cost a fifth of the appends."""

log = logging.getLogger(__name__)


class Notifier:
    """One NOTIFY at a time on a connection of its own, so that no append waits for it.

    The first is told at once; positions that arrive meanwhile are told together by the next.
    """

    def __init__(self, url: str) -> None:
        """Connect with the first notification."""
        self._url = url
        self._db: AsyncConnection[Any] | None = None
        self._last = 0
        self._running: asyncio.Task[None] | None = None

    def notify(self, position: int) -> None:
        """Say, soon, that the log reaches up to here."""
        self._last = max(self._last, position)
        if self._running is None:
            self._running = asyncio.create_task(self._run())

    @property
    def told_by(self) -> int | None:
        """The server process that the notifications come from."""
        return None if self._db is None or self._db.closed else self._db.info.backend_pid

    async def close(self) -> None:
        """Say the last word, then disconnect."""
        if self._running is not None:
            await asyncio.wait([self._running])
        if self._db is not None:
            with suppress(psycopg.Error):
                await self._db.close()

    async def _run(self) -> None:
        told = 0
        try:
            while told < self._last:
                told = self._last
                await self._tell(told)
                await asyncio.sleep(PAUSE_SECONDS)
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            log.warning("could not notify: %s", error)  # readers poll as well
        finally:
            self._running = None

    async def _tell(self, position: int) -> None:
        if self._db is None or self._db.closed:
            self._db = await AsyncConnection.connect(self._url, autocommit=True)
            # A hint need not survive a crash, so it need not wait for the disk.
            await self._db.execute("set synchronous_commit = off")
        await self._db.execute("select pg_notify(%s, %s)", (CHANNEL, str(position)))
