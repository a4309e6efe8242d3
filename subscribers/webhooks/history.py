"""Folds the log again for one endpoint: the events of a range, as they were made at first."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, Final
from uuid import UUID

from kernel.event_kinds import ALL_EVENTS
from kernel.ports.event_store import EventStore, Recorded
from projections.all_views import VIEWS
from projections.customers import CUSTOMERS
from projections.documents import Documents
from projections.engine import Pass
from projections.view import View
from projections.webhooks.announcement import Announcement
from projections.webhooks.counts import HELD
from projections.webhooks.events import Event, EventMaker, loads_of
from projections.webhooks.kinds import ANNOUNCEMENTS
from projections.webhooks.replays import Replay


PAGE: Final = 1_000

_NEEDED: Final = {
    CUSTOMERS,
    HELD,
    *(line.table for lines in ANNOUNCEMENTS.values() for line in lines),
}
_TABLES: Final = {table.name: table for view in VIEWS for table in view.tables}

SHOWN: Final = tuple(view for view in VIEWS if not _NEEDED.isdisjoint(view.tables))
"""The views whose documents webhook objects are made of, in the order of the pass."""


class History:
    """The documents of the owners who have facts in the range, in memory, from their beginning."""

    def __init__(self, store: EventStore, maker: EventMaker, replay: Replay) -> None:
        """``maker`` must have begun."""
        self._store = store
        self._maker = maker
        self._replay = replay
        self._events: list[Event] = []
        view = View("history")
        for fact, announcements in ANNOUNCEMENTS.items():
            view.on(fact, loads=loads_of(announcements))(self._writer(announcements))
        self._pass = Pass((*SHOWN, view), capacity=None)

    async def pages(self) -> AsyncIterator[tuple[int, list[Event]]]:
        """Positions with the events of the facts since the position before, in order."""
        owners = await self._owners()
        if not owners:
            return
        async for page in self._read(0):
            mine = [recorded for recorded in page if recorded.owner in owners]
            await self._maker.prepare(mine)
            for name, keys in self._pass.missing(mine).items():
                for key in keys:
                    self._pass.documents.learn(_TABLES[name], key, None)
            self._pass.apply(mine)
            self._pass.documents.flushed()
            made, self._events = self._events, []
            yield page[-1].position, made

    async def _owners(self) -> set[UUID]:
        """Whose facts in the range announce something: all of theirs have to be folded."""
        return {
            recorded.owner
            async for page in self._read(max(self._replay.first, self._replay.done + 1) - 1)
            for recorded in page
            if type(recorded.fact) in ANNOUNCEMENTS and self._wanted(recorded)
        }

    async def _read(self, after: int) -> AsyncIterator[list[Recorded]]:
        """All facts up to the end of the range."""
        while page := await self._store.read(after, PAGE):
            inside = [recorded for recorded in page if recorded.position <= self._replay.last]
            if inside:
                yield inside
            if len(inside) < len(page):
                return
            after = page[-1].position

    def _wanted(self, recorded: Recorded) -> bool:
        replay = self._replay
        mine = recorded.organization == replay.organization and recorded.position > replay.done
        return mine and replay.holds(recorded.position, recorded.recorded_at)

    def _writer(
        self, announcements: Sequence[Announcement]
    ) -> Callable[[Documents, Recorded, Any], None]:
        kinds = self._replay.kinds or frozenset()
        chosen = [a for a in announcements if ALL_EVENTS in kinds or a.kind in kinds]

        def write(docs: Documents, recorded: Recorded, fact: Any) -> None:
            del fact
            if not self._wanted(recorded):
                return
            for each in chosen:
                self._events += self._maker.make(docs, recorded, each, (self._replay.endpoint,))

        return write
