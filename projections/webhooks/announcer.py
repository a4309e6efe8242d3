"""Makes events and deliveries in the pass that keeps the views (design 9).

They are rows of the same transaction as the views' checkpoint: none is lost, none invented. The
position up to which facts were announced is kept apart from the views', so that views that are
built anew announce nothing again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any
from uuid import UUID

from kernel.event_kinds import ALL_EVENTS
from kernel.ports.event_store import Recorded
from projections.documents import Documents
from projections.steps import Step
from projections.table import Doc, Table
from projections.view import View
from projections.webhook_endpoints import WEBHOOK_SUBSCRIBERS
from projections.webhooks import events
from projections.webhooks.announcement import Announcement
from projections.webhooks.events import Connection, Event, EventMaker, FindTenant
from projections.webhooks.kinds import ANNOUNCEMENTS
from projections.webhooks.rows import SAVE_ANNOUNCED


class Announcer:
    """The last view of the pass: it reads the documents that the others wrote."""

    def __init__(self, tenant: FindTenant, base_url: str) -> None:
        """``base_url`` is where payment links point to."""
        self.view = View("announcements")
        self.on_saved: list[Callable[[], None]] = []
        self._maker = EventMaker(tenant, base_url)
        self._announced = 0
        self._outbox: list[Event] = []
        for fact, announcements in ANNOUNCEMENTS.items():
            self.view.on(fact, loads=_loads(announcements))(_writer(self, announcements))

    async def resume(self, db: Connection) -> None:
        """Find out which log this is, and what was announced of it."""
        self.forget()
        await self._maker.begin(db)
        row = await (await db.execute("SELECT position FROM webhooks.announced")).fetchone()
        if row is None:
            raise LookupError("it is not known what was announced")
        self._announced = row[0]

    async def prepare(self, batch: Sequence[Recorded]) -> None:
        """Learn the organizations of a batch."""
        await self._maker.prepare(batch)

    def announce(
        self, docs: Documents, recorded: Recorded, announcements: Sequence[Announcement]
    ) -> None:
        """Put the events of a fact into the outbox, if anybody wants them."""
        if recorded.position <= self._announced:
            return
        subscribers = docs.get(WEBHOOK_SUBSCRIBERS, recorded.organization)
        if subscribers is None or not subscribers["endpoints"]:
            return
        for announcement in announcements:
            endpoints = _subscribed(subscribers, announcement.kind)
            if not endpoints:
                continue
            self._outbox += self._maker.make(docs, recorded, announcement, endpoints)

    def saving(self, position: int) -> Iterator[Step]:
        """The outbox, and what was announced, in the transaction of the views."""
        yield from events.saving(self._outbox)
        if position > self._announced:
            yield SAVE_ANNOUNCED, (position,)

    def saved(self, position: int) -> None:
        """The transaction is committed: wake the sender."""
        self._announced = max(self._announced, position)
        if self._outbox:
            self._outbox = []
            for wake in self.on_saved:
                wake()

    def forget(self) -> None:
        """The transaction failed: its facts will come again."""
        self._outbox = []


def _loads(
    announcements: Sequence[Announcement],
) -> Callable[[Recorded, Any], list[tuple[Table, Any]]]:
    shown = events.loads_of(announcements)

    def loads(recorded: Recorded, fact: Any) -> list[tuple[Table, Any]]:
        return [(WEBHOOK_SUBSCRIBERS, recorded.organization), *shown(recorded, fact)]

    return loads


def _writer(
    announcer: Announcer, announcements: Sequence[Announcement]
) -> Callable[[Documents, Recorded, Any], None]:
    def write(docs: Documents, recorded: Recorded, fact: Any) -> None:
        del fact
        announcer.announce(docs, recorded, announcements)

    return write


def _subscribed(subscribers: Doc, kind: str) -> tuple[UUID, ...]:
    """The endpoints that get this kind, enabled as of the present position."""
    wanted = {kind, ALL_EVENTS}
    endpoints = subscribers["endpoints"].items()
    return tuple(UUID(endpoint) for endpoint, chosen in endpoints if wanted & set(chosen))
