"""Folds the log again for one endpoint: the events of a range, as they were made at first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final
from uuid import UUID

from kernel.event_kinds import ALL_EVENTS
from kernel.ports.event_store import Recorded
from kernel.ports.owner_log import OwnerLog, Range
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
STRETCH: Final = 10_000
"""So many positions are looked through for owners in one step, however few there are."""

OWNERS: Final = 50
"""So many owners are folded in one step; other wishes come between two."""

_NEEDED: Final = {
    CUSTOMERS,
    HELD,
    *(line.table for lines in ANNOUNCEMENTS.values() for line in lines),
}
_TABLES: Final = {table.name: table for view in VIEWS for table in view.tables}

SHOWN: Final = tuple(view for view in VIEWS if not _NEEDED.isdisjoint(view.tables))
"""The views whose documents webhook objects are made of, in the order of the pass."""


class History:
    """Events of the owners who have facts in the range; one owner's documents at a time in memory.

    An owner's events are made all at once, in order: nothing else is ordered by them.
    """

    def __init__(self, log: OwnerLog, maker: EventMaker, replay: Replay) -> None:
        """``maker`` must have begun."""
        self._log = log
        self._maker = maker
        self._replay = replay
        self._range = Range(
            organization=replay.organization,
            kinds=[fact for fact, lines in ANNOUNCEMENTS.items() if self._chosen(lines)],
            first=replay.first,
            last=replay.last,
            begin=replay.begin,
            end=replay.end,
        )
        self._events: list[Event] = []
        view = View("history")
        for fact, announcements in ANNOUNCEMENTS.items():
            view.on(fact, loads=loads_of(announcements))(self._writer(announcements))
        self._pass = Pass((*SHOWN, view), capacity=None)

    async def step(self, done: int) -> tuple[int, list[Event]]:
        """What ``done`` is after some more owners, and their events."""
        until = min(done + STRETCH, self._replay.last)
        owners = await self._log.owners(self._range, done, until, OWNERS)
        for _, owner in owners:
            await self._fold(owner)
        made, self._events = self._events, []
        return owners[-1][0] if len(owners) == OWNERS else until, made

    async def _fold(self, owner: UUID) -> None:
        self._pass.documents.forget()
        after = 0
        while page := await self._log.facts(owner, after, self._replay.last, PAGE):
            await self._maker.prepare(page)
            for name, keys in self._pass.missing(page).items():
                for key in keys:
                    self._pass.documents.learn(_TABLES[name], key, None)
            self._pass.apply(page)
            self._pass.documents.flushed()
            after = page[-1].position

    def _chosen(self, announcements: Sequence[Announcement]) -> list[Announcement]:
        kinds = self._replay.kinds or frozenset()
        return [a for a in announcements if ALL_EVENTS in kinds or a.kind in kinds]

    def _writer(
        self, announcements: Sequence[Announcement]
    ) -> Callable[[Documents, Recorded, Any], None]:
        chosen = self._chosen(announcements)

        def write(docs: Documents, recorded: Recorded, fact: Any) -> None:
            del fact
            if not self._replay.holds(recorded.position, recorded.recorded_at):
                return
            for each in chosen:
                self._events += self._maker.make(docs, recorded, each, (self._replay.endpoint,))

        return write
