"""Books the transaction of every payment with its fee, by what was processed before (design 7)."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Final
from uuid import UUID

import msgspec

from aggregates.invoice.events import InvoicePaid
from commands.invoices.record_transaction import RecordTransaction
from kernel.money import Money
from kernel.ports.event_store import EventStore, Recorded
from kernel.ports.snapshots import NoSnapshots, Snapshot, Snapshots
from subscribers.reacting import Reactor
from subscribers.runner import Reaction


Row = tuple[UUID, str, int]
NO_SNAPSHOTS: Final = NoSnapshots()
NAME = "assess_fees"
PAGE = 1_000
REMEMBERED = 20_000
"""Payments whose volume is kept at hand: facts may be delivered again."""

SNAPSHOT = 20_000
"""So many positions lie between two snapshots: at most twice as many are read after a restart."""


def react(recorded: Recorded, volume: Money) -> RecordTransaction:
    """``volume`` is what the organization had processed before this payment."""
    paid: InvoicePaid = recorded.fact
    return RecordTransaction(
        invoice_id=paid.invoice_id,
        attempt=paid.attempt,
        payment_id=paid.payment_id,
        method=paid.method,
        amount=paid.amount,
        international=paid.international,
        volume=volume,
        caused_at=paid.occurred_at,
    )


class Volumes:
    """What each organization has processed per currency, in the order of the log.

    It follows from the log alone: reading on from where it stands, in order, whoever asks first.
    """

    def __init__(self, store: EventStore, snapshots: Snapshots) -> None:
        """Start from a snapshot, or from the beginning of the log."""
        self._store = store
        self._snapshots = snapshots
        self._saved = 0
        self._lock = asyncio.Lock()
        self._position = 0
        self._totals: Counter[tuple[UUID, str]] = Counter()
        self._before: dict[int, int] = {}

    async def before(self, recorded: Recorded) -> Money:
        """The volume before a payment; one that is asked for again long after is counted anew."""
        async with self._lock:
            behind = recorded.position <= self._position
            if self._position == 0 or (behind and recorded.position not in self._before):
                await self._begin(recorded.position)
            while self._position < recorded.position:
                await self._read_on(recorded.position)
            return Money(self._before[recorded.position], recorded.fact.amount.currency)

    async def _begin(self, position: int) -> None:
        """From the last snapshot that knows nothing of ``position`` yet."""
        found = await self._snapshots.before(NAME, position)
        rows = [] if found is None else msgspec.json.decode(found.data, type=list[Row])
        self._position = self._saved = 0 if found is None else found.position
        self._totals = Counter({(organization, word): units for organization, word, units in rows})
        self._before.clear()

    async def _save(self) -> None:
        rows = [(organization, word, units) for (organization, word), units in self._totals.items()]
        await self._snapshots.save(NAME, Snapshot(self._position, msgspec.json.encode(rows)))
        self._saved = self._position

    async def _read_on(self, asked: int) -> None:
        """A page of the log; what lies before the payment that was asked for is booked already."""
        for recorded in await self._store.read(self._position, PAGE):
            self._position = recorded.position
            if isinstance(recorded.fact, InvoicePaid):
                amount = recorded.fact.amount
                key = (recorded.organization, amount.currency)
                if recorded.position >= asked:
                    self._remember(recorded.position, self._totals[key])
                self._totals[key] += amount.units
        if self._position - self._saved >= SNAPSHOT:
            await self._save()

    def _remember(self, position: int, units: int) -> None:
        self._before[position] = units
        if len(self._before) > REMEMBERED:
            del self._before[next(iter(self._before))]


class AssessFees:
    """The shell; payments are booked side by side, their volumes are known in order."""

    def __init__(self, reactor: Reactor, snapshots: Snapshots = NO_SNAPSHOTS) -> None:
        """``reactor`` carries this reaction's name."""
        self._reactor = reactor
        self._volumes = Volumes(reactor.bus.store, snapshots)

    @property
    def reaction(self) -> Reaction:
        """As the runner drives it."""
        return Reaction(NAME, frozenset({InvoicePaid}), self.handle, in_order=False)

    async def handle(self, recorded: Recorded) -> None:
        """Book one payment."""
        volume = await self._volumes.before(recorded)
        await self._reactor.dispatch(recorded, react(recorded, volume))
