"""Makes events and deliveries in the pass that keeps the views (design 9).

They are rows of the same transaction as the views' checkpoint: none is lost, none invented. The
position up to which facts were announced is kept apart from the views', so that views that are
built anew announce nothing again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg import AsyncConnection

from kernel.event_kinds import ALL_EVENTS
from kernel.ids import derived_id
from kernel.payment_link import payment_link
from kernel.ports.event_store import Recorded
from kernel.tenant import Tenant
from projections.customers import CUSTOMERS
from projections.documents import Documents
from projections.table import Doc, Table
from projections.view import View
from projections.webhook_endpoints import WEBHOOK_SUBSCRIBERS
from projections.webhooks.announcement import Announcement, Around
from projections.webhooks.counts import HELD, held
from projections.webhooks.kinds import ANNOUNCEMENTS
from projections.webhooks.rows import SAVE_ANNOUNCED, SAVE_DELIVERIES, SAVE_EVENTS, SAVE_LANES
from wire.times import instant
from wire.webhooks.envelope import envelope, is_silent, previous_attributes


Connection = AsyncConnection[Any]
FindTenant = Callable[[UUID], Awaitable[Tenant]]


@dataclass(frozen=True, slots=True)
class Event:
    """One event with the endpoints that get it."""

    id: UUID
    organization: UUID
    owner: UUID
    kind: str
    position: int
    created_at: datetime
    payload: bytes
    endpoints: tuple[UUID, ...]


class Announcer:
    """The last view of the pass: it reads the documents that the others wrote."""

    def __init__(self, tenant: FindTenant, base_url: str) -> None:
        """``base_url`` is where payment links point to."""
        self.view = View("announcements")
        self.on_saved: list[Callable[[], None]] = []
        self._tenant = tenant
        self._base_url = base_url
        self._tenants: dict[UUID, Tenant] = {}
        self._log = UUID(int=0)
        self._announced = 0
        self._outbox: list[Event] = []
        for fact, announcements in ANNOUNCEMENTS.items():
            self.view.on(fact, loads=_loads(announcements))(_writer(self, announcements))

    async def resume(self, db: Connection) -> None:
        """Find out which log this is, and what was announced of it."""
        self.forget()
        found = await db.execute("SELECT log_id, position FROM public.identity, webhooks.announced")
        row = await found.fetchone()
        if row is None:
            raise LookupError("the database has no identity")
        self._log, self._announced = row

    async def prepare(self, batch: Sequence[Recorded]) -> None:
        """Learn the organizations of a batch."""
        for organization in {r.organization for r in batch if type(r.fact) in ANNOUNCEMENTS}:
            if organization not in self._tenants:
                self._tenants[organization] = await self._tenant(organization)

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
            if endpoints:
                self._add(docs, recorded, announcement, endpoints)

    def _add(
        self,
        docs: Documents,
        recorded: Recorded,
        announcement: Announcement,
        endpoints: tuple[UUID, ...],
    ) -> None:
        parts = (announcement.part,) if announcement.part else ()
        event = derived_id(self._log, recorded.position, announcement.kind, *parts)
        payload = self._payload(docs, recorded, announcement, event)
        if payload is not None:
            self._outbox.append(
                Event(
                    event,
                    recorded.organization,
                    recorded.owner,
                    announcement.kind,
                    recorded.position,
                    recorded.recorded_at,
                    payload,
                    endpoints,
                )
            )

    def _payload(
        self, docs: Documents, recorded: Recorded, announcement: Announcement, event: UUID
    ) -> bytes | None:
        key = announcement.key(recorded, recorded.fact)
        before = None if key is None else docs.before(announcement.table, key)
        after = before if key is None else docs.get(announcement.table, key) or before
        if after is None or not announcement.when(after):
            return None
        shown = announcement.shape(after, self._around(docs, recorded))
        previous = None
        if announcement.update and before is not None:
            old = announcement.shape(before, self._around(docs, recorded, before=True))
            previous = previous_attributes(old, shown)
            if is_silent(previous):
                return None
        at = instant(recorded.fact.occurred_at)
        return envelope(event, announcement.kind, created_at=at, shown=shown, previous=previous)

    def _around(self, docs: Documents, recorded: Recorded, *, before: bool = False) -> Around:
        find = docs.before if before else docs.get
        customer = find(CUSTOMERS, recorded.owner) or docs.get(CUSTOMERS, recorded.owner)
        if customer is None:
            raise LookupError(f"customer {recorded.owner} is not in the view")
        tenant = self._tenants[recorded.organization]
        return Around(
            customer=customer,
            subscriptions=held(docs, recorded.owner),
            payment_link=lambda invoice: payment_link(self._base_url, tenant, invoice),
        )

    async def save(self, db: Connection, position: int) -> None:
        """Write the outbox and move what was announced, in the transaction of the views."""
        if self._outbox:
            await _save(db, self._outbox)
        if position > self._announced:
            await db.execute(SAVE_ANNOUNCED, (position,))

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
    def loads(recorded: Recorded, fact: Any) -> list[tuple[Table, Any]]:
        subjects = ((a.table, a.key(recorded, fact)) for a in announcements)
        return [
            (WEBHOOK_SUBSCRIBERS, recorded.organization),
            (CUSTOMERS, recorded.owner),
            (HELD, recorded.owner),
            *((table, key) for table, key in subjects if key is not None),
        ]

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
    return tuple(UUID(endpoint) for endpoint, events in endpoints if wanted & set(events))


async def _save(db: Connection, events: Sequence[Event]) -> None:
    deliveries = [(e.id, endpoint, e.owner) for e in events for endpoint in e.endpoints]
    waiting = sorted(Counter((endpoint, owner) for _, endpoint, owner in deliveries).items())
    rows = [
        (e.id, e.organization, e.owner, e.kind, e.position, e.created_at, e.payload) for e in events
    ]
    lanes = [(endpoint, owner, n) for (endpoint, owner), n in waiting]
    for statement, values in (
        (SAVE_EVENTS, rows),
        (SAVE_DELIVERIES, deliveries),
        (SAVE_LANES, lanes),
    ):
        await db.execute(statement, [list(column) for column in zip(*values, strict=True)])
