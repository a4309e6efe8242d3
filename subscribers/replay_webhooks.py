"""Puts history into the queue of an endpoint again, under the event ids it had (design 9)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

from psycopg import AsyncConnection, Error

from kernel.ports.owner_log import OwnerLog
from projections.steps import execute
from projections.webhooks import events, replays
from projections.webhooks.events import EventMaker, FindTenant
from projections.webhooks.replays import Replay
from subscribers.webhooks.history import History


NAME: Final = "replay_webhooks"
POLL_SECONDS: Final = 1.0
LOCK: Final = 0x62696C72

_log = logging.getLogger(__name__)


class Replayer:
    """All wishes in turn, in one process at a time; what was killed is taken up again."""

    def __init__(
        self,
        url: str,
        log: OwnerLog,
        tenant: FindTenant,
        base_url: str,
        saved: Callable[[], None],
    ) -> None:
        """``url`` has the views' schema first on its search path; ``saved`` wakes the sender."""
        self._url = url
        self._log = log
        self._maker = EventMaker(tenant, base_url)
        self._saved = saved
        self._wake = asyncio.Event()
        self._stopping = False
        self._failed: set[UUID] = set()

    def wake(self, *_: object) -> None:
        """A wish is found by looking now and then: facts do not bring one."""

    def stop(self) -> None:
        """Return from ``run`` after the page in hand."""
        self._stopping = True
        self._wake.set()

    async def run(self) -> None:
        """Fulfil wishes until stopped; survives the loss of the database."""
        while not self._stopping:
            try:
                async with await AsyncConnection.connect(self._url, autocommit=True) as db:
                    await self._serve(db)
            except Error as error:
                _log.warning("the replay of webhooks starts again: %s", error)
                await self._rest()

    async def _serve(self, db: AsyncConnection[Any]) -> None:
        while not self._stopping:
            locked = await (await db.execute("SELECT pg_try_advisory_lock(%s)", (LOCK,))).fetchone()
            if locked is not None and locked[0]:
                break
            await self._rest()
        await self._maker.begin(db)
        while not self._stopping:
            wishes = await replays.unfinished(db, self._failed)
            for wish in wishes:
                await self._try(db, wish)
            if not wishes:
                await self._rest()

    async def _try(self, db: AsyncConnection[Any], replay: Replay) -> None:
        try:
            await self._step(db, replay)
        except Error:
            raise
        except Exception:  # noqa: BLE001 - whatever it is, other wishes do not wait for it
            self._failed.add(replay.id)
            _log.exception("replay %s stands still until this process starts again", replay.id)

    async def _step(self, db: AsyncConnection[Any], replay: Replay) -> None:
        """Some owners of one wish; the other wishes then have their turn."""
        if replay.kinds is None or replay.reached >= replay.last:
            await replays.finish(db, replay.id)
            return
        history = History(self._log, self._maker, replay)
        await self._save(db, replay, *await history.step(replay.reached))

    async def _save(
        self, db: AsyncConnection[Any], replay: Replay, position: int, made: list[events.Event]
    ) -> None:
        async with db.transaction():
            await execute(db, events.saving(made))
            await replays.move(db, replay.id, position)
        self._saved()

    async def _rest(self) -> None:
        try:
            async with asyncio.timeout(POLL_SECONDS):
                await self._wake.wait()
        except TimeoutError:
            return
