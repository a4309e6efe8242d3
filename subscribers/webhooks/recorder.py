"""Writes down what came of attempts: all that gathered while the last write was on its way."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg import AsyncConnection, Error
from psycopg_pool import AsyncConnectionPool

from subscribers.webhooks import health, queue
from subscribers.webhooks.health import Sign
from subscribers.webhooks.queue import Attempt, Release


Pool = AsyncConnectionPool[AsyncConnection[Any]]
OnFailing = Callable[[dict[UUID, datetime]], Awaitable[None]]
RETRY_SECONDS = 1.0

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Batch:
    attempts: list[Attempt] = field(default_factory=list)
    signs: list[Sign] = field(default_factory=list)
    releases: list[Release] = field(default_factory=list)


class Recorder:
    """Outcomes of one process, in the order in which they came."""

    def __init__(self, pool: Pool, on_failing: OnFailing, on_released: Callable[[], None]) -> None:
        """``on_failing`` hears since when endpoints fail; ``on_released`` that lanes are free."""
        self._pool = pool
        self._on_failing = on_failing
        self._on_released = on_released
        self._batch = _Batch()
        self._wake = asyncio.Event()
        self._stopping = False

    def attempted(self, attempt: Attempt, sign: Sign) -> None:
        """One attempt was made."""
        self._batch.attempts.append(attempt)
        self._batch.signs.append(sign)
        self._wake.set()

    def released(self, release: Release) -> None:
        """The process is done with a lane for now."""
        self._batch.releases.append(release)
        self._wake.set()

    def stop(self) -> None:
        """Write what is left and return from ``run``."""
        self._stopping = True
        self._wake.set()

    async def run(self) -> None:
        """Write until stopped; what cannot be written is kept and written later."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            batch, self._batch = self._batch, _Batch()
            if batch.attempts or batch.releases:
                await self._write(batch)
            elif self._stopping:
                return
            if self._stopping:
                self._wake.set()

    async def _write(self, batch: _Batch) -> None:
        while True:
            try:
                failing = await self._try(batch)
                break
            except Error as error:
                _log.warning("outcomes of webhooks cannot be written yet: %s", error)
                await asyncio.sleep(RETRY_SECONDS)
                if self._stopping:
                    return  # the holds run out, and the deliveries are made again
        if batch.releases:
            self._on_released()
        if failing:
            await self._on_failing(failing)

    async def _try(self, batch: _Batch) -> dict[UUID, datetime]:
        async with self._pool.connection() as db, db.transaction():
            await queue.record(db, batch.attempts, batch.releases)
            return await health.note(db, batch.signs)
