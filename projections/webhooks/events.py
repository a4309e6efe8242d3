"""Makes webhook events out of the documents of a pass over the log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg import AsyncConnection

from kernel.ids import derived_id
from kernel.payment_link import payment_link
from kernel.ports.event_store import Recorded
from kernel.tenant import Tenant
from projections.customers import CUSTOMERS
from projections.documents import Documents
from projections.steps import Step
from projections.table import Doc, Table
from projections.webhooks.announcement import Announcement, Around
from projections.webhooks.counts import HELD, held
from projections.webhooks.kinds import ANNOUNCEMENTS
from projections.webhooks.rows import SAVE_DELIVERIES, SAVE_EVENTS, SAVE_LANES
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


class EventMaker:
    """Events as of a fact's position; the same fact always makes the same events."""

    def __init__(self, tenant: FindTenant, base_url: str) -> None:
        """``base_url`` is where payment links point to."""
        self._tenant = tenant
        self._base_url = base_url
        self._tenants: dict[UUID, Tenant] = {}
        self._log = UUID(int=0)

    async def begin(self, db: Connection) -> None:
        """Find out which log this is."""
        row = await (await db.execute("SELECT log_id FROM public.identity")).fetchone()
        if row is None:
            raise LookupError("the database has no identity")
        self._log = row[0]

    async def prepare(self, batch: Sequence[Recorded]) -> None:
        """Learn the organizations of a batch."""
        for organization in {r.organization for r in batch if type(r.fact) in ANNOUNCEMENTS}:
            if organization not in self._tenants:
                self._tenants[organization] = await self._tenant(organization)

    def make(
        self,
        docs: Documents,
        recorded: Recorded,
        announcement: Announcement,
        endpoints: tuple[UUID, ...],
    ) -> Iterator[Event]:
        """The events for these endpoints; none when there is nothing to say."""
        for number, (after, before) in enumerate(_subjects(docs, recorded, announcement)):
            parts = (*filter(None, (announcement.part,)), *filter(None, (number,)))
            event = derived_id(self._log, recorded.position, announcement.kind, *parts)
            payload = self._payload(docs, recorded, announcement, event, (after, before))
            if payload is None:
                continue
            yield Event(
                id=event,
                organization=recorded.organization,
                owner=recorded.owner,
                kind=announcement.kind,
                position=recorded.position,
                created_at=recorded.recorded_at,
                payload=payload,
                endpoints=endpoints,
            )

    def _payload(
        self,
        docs: Documents,
        recorded: Recorded,
        announcement: Announcement,
        event: UUID,
        subject: tuple[Doc, Doc | None],
    ) -> bytes | None:
        after, before = subject
        if not announcement.when(after):
            return None
        shown = announcement.shape(after, self._around(docs, recorded))
        previous = None
        if announcement.update and before is not None:
            old = announcement.shape(before, self._around(docs, recorded, before=True))
            previous = old if announcement.whole else previous_attributes(old, shown)
            if is_silent(previous) and not announcement.even_silent:
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


def _subjects(
    docs: Documents, recorded: Recorded, announcement: Announcement
) -> Iterator[tuple[Doc, Doc | None]]:
    """What has an event of its own, as it is and as it was before the fact."""
    key = announcement.key(recorded, recorded.fact)
    if key is None:
        return
    before = docs.before(announcement.table, key)
    after = docs.get(announcement.table, key) or before
    if after is not None:
        yield from ((one, before) for one in announcement.each(after))


def loads_of(
    announcements: Sequence[Announcement],
) -> Callable[[Recorded, Any], list[tuple[Table, Any]]]:
    """The documents that the events of a fact are made of."""

    def loads(recorded: Recorded, fact: Any) -> list[tuple[Table, Any]]:
        subjects = ((a.table, a.key(recorded, fact)) for a in announcements)
        return [
            (CUSTOMERS, recorded.owner),
            (HELD, recorded.owner),
            *((table, key) for table, key in subjects if key is not None),
        ]

    return loads


def saving(events: Sequence[Event]) -> Iterator[Step]:
    """What puts events and their deliveries in place."""
    if not events:
        return
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
        yield statement, [list(column) for column in zip(*values, strict=True)]
