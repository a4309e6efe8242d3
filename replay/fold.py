"""Reads the log and folds it into a shadow, many facts per transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from kernel.ports.event_store import EventStore, Recorded
from projections.engine import Pass
from projections.view import View
from replay.shadow import Shadow


PAGE = 4_000
FACTS_PER_TRANSACTION = 40_000
DOCUMENTS = 400_000
"""Documents per table that are kept in memory; what is pushed out is read again when needed."""

Progress = Callable[[int, int], None]
"""Called with a position and the target."""


class Folding:
    """The views' own writers over the log, from where the shadow is."""

    def __init__(self, store: EventStore, shadow: Shadow, views: Sequence[View]) -> None:
        """``views`` are all views: they copy words from one another."""
        self._store = store
        self._shadow = shadow
        self._pass = Pass(views, capacity=DOCUMENTS)

    async def up_to(self, position: int, progress: Progress) -> None:
        """Fold all facts up to a position and save them."""
        waiting = 0
        reading = asyncio.create_task(self._store.read(self._shadow.position, PAGE))
        last = self._shadow.position
        try:
            while page := [fact for fact in await reading if fact.position <= position]:
                reading = asyncio.create_task(self._store.read(page[-1].position, PAGE))
                last = page[-1].position
                await self._apply(page)
                waiting += len(page)
                progress(last, position)
                if waiting >= FACTS_PER_TRANSACTION:
                    await self._save(last)
                    waiting = 0
        finally:
            await asyncio.gather(reading, return_exceptions=True)
        await self._save(max(last, position))

    async def inside(self, position: int) -> None:
        """Fold the few facts that are left inside the caller's transaction."""
        last = self._shadow.position
        while page := await self._store.read(last, PAGE):
            wanted = [fact for fact in page if fact.position <= position]
            if not wanted:
                break
            last = wanted[-1].position
            await self._apply(wanted)
        await self._shadow.write(self._pass.documents.changes(), max(last, position))
        self._pass.documents.flushed()

    async def _apply(self, page: Sequence[Recorded]) -> None:
        await self._pass.load(self._shadow.db, page)
        self._pass.apply(page)

    async def _save(self, position: int) -> None:
        await self._shadow.save(self._pass.documents.changes(), position)
        self._pass.documents.flushed()
