"""Workers of an engine as one part of a process."""

from __future__ import annotations

import asyncio

from adapters.cannot_start import CannotStart
from app.wiring import Engine
from projections.changed import PUBLISHER as PUBLISH_RESOURCES
from subscribers.publish_to_kafka import NAME as PUBLISH


REACTIONS = "reactions"
STREAMS = frozenset({PUBLISH, PUBLISH_RESOURCES})
CATCHING_UP_SECONDS = 600.0
"""After this long a process counts as ready with views that are still behind."""


class Workers:
    """Runs them until stopped; one that ends by itself ends the process."""

    def __init__(self, engine: Engine, *names: str) -> None:
        """All workers unless some are named; the engine stops them when it is closed.

        ``reactions`` names all but the views and the event stream. Raises CannotStart when there
        is no such worker.
        """
        known = engine.workers.keys()
        wanted = {name.replace("-", "_") for name in names} - {REACTIONS}
        if STREAMS & wanted - known:
            raise CannotStart("BILLSTREAM_KAFKA_BOOTSTRAP says where to publish")
        if unknown := wanted - known:
            listed = ", ".join([REACTIONS, *known])
            raise CannotStart(f"no worker {', '.join(unknown)}; there are: {listed}")
        if REACTIONS in names:
            wanted |= known - {"views"} - STREAMS
        self._engine = engine
        self._names = sorted(wanted if names else known)
        self._asked = asyncio.Event()
        self._caught_up = asyncio.Event()

    @property
    def started(self) -> asyncio.Event:
        """Set once the views have what was in the log before, if they are kept here."""
        return self._caught_up

    async def run(self) -> None:
        """Until stopped. Raises what a worker raised."""
        if self._names:
            self._engine.start_workers(*self._names)
        catching_up = asyncio.create_task(self._catch_up())
        asked = asyncio.create_task(self._asked.wait())
        done, _ = await asyncio.wait(
            [asked, *self._engine.tasks], return_when=asyncio.FIRST_COMPLETED
        )
        asked.cancel()
        catching_up.cancel()
        for task in done - {asked}:
            await task

    async def _catch_up(self) -> None:
        if "views" in self._names:
            head = await self._engine.store.head()
            await self._engine.positions.wait(head, CATCHING_UP_SECONDS)
        self._caught_up.set()

    def stop(self) -> None:
        """Return from ``run``."""
        self._asked.set()
