"""Runs a member until it is stopped, through every loss of broker and database."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from contextlib import suppress
from typing import Any, Final

from psycopg import AsyncConnection, OperationalError

from kernel.ports.broker import BrokerUnavailable
from kernel.ports.partitions import Partitions
from projections.engine import Superseded


PAUSE_SECONDS: Final = 1.0

_log = logging.getLogger(__name__)


class Member(ABC):
    """Joins, works, and after any trouble forgets what it knows and joins again."""

    def __init__(self, url: str, partitions: Partitions) -> None:
        """``url`` has the member's search path."""
        self._url = url
        self._partitions = partitions
        self._stopped = asyncio.Event()

    def stop(self) -> None:
        """Finish the batch in hand and return from ``run``."""
        self._stopped.set()

    async def run(self) -> None:
        """Until stopped."""
        while not self._stopped.is_set():
            try:
                await self._join()
            except (BrokerUnavailable, OperationalError, Superseded) as trouble:
                _log.warning("a member of the views begins again: %s", trouble)
                await self._partitions.close()
                await self.rest(PAUSE_SECONDS)
        await self._partitions.close()

    async def rest(self, seconds: float) -> None:
        """Wait, unless it is to stop."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._stopped.wait()

    async def _join(self) -> None:
        db: AsyncConnection[Any]
        async with await AsyncConnection.connect(
            self._url, autocommit=True, prepare_threshold=0
        ) as db:
            # Rows and offsets are lost together, if at all, and made again from the stream.
            await db.execute("SET synchronous_commit TO off")
            if await self._may_work(db):
                await self._partitions.begin()
                await self._work(db)

    async def _may_work(self, db: AsyncConnection[Any]) -> bool:
        """Whether this one is needed now; waits a moment if not."""
        del db
        return True

    @abstractmethod
    async def _work(self, db: AsyncConnection[Any]) -> None:
        """Until stopped; may raise what ``run`` survives."""
