"""One ordered pass over the log that keeps all views (design 5).

Each batch is one transaction: the rows of every view and the checkpoint move together, so a fact
that is delivered twice changes nothing. One process at a time holds the pass (an advisory lock) and
hands over when it dies.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from itertools import chain
from typing import Any

from psycopg import AsyncConnection, OperationalError

from kernel.ports.event_store import EventStore, Recorded
from projections import store as rows
from projections.documents import Documents
from projections.outbox import NoOutbox, Outbox
from projections.positions import Positions
from projections.steps import Step, execute
from projections.table import Table
from projections.view import Loads, View, Writer


CHECKPOINT = "views"
LOCK = 0x62696C6C  # "bill": the advisory lock of the pass
BATCH = 1_000
POLL_SECONDS = 0.2
GATHER_SECONDS = 0.01

_log = logging.getLogger(__name__)


Further = Callable[[Mapping[str, rows.Changes]], Iterable[Step]]
"""What else is to be written once it is known what a batch changed."""


class Superseded(Exception):
    """Rows were swapped or written by somebody else: forget what is remembered, read again."""


class Pass:
    """The writers of some views over shared documents; knows nothing of connections."""

    def __init__(self, views: Sequence[View], *, capacity: int | None = 20_000) -> None:
        """Writers of one fact run in the order of the views."""
        self.views = tuple(views)
        self.tables = {table.name: table for view in views for table in view.tables}
        self.documents = Documents(capacity)
        self._writers: dict[type, list[tuple[Writer, Loads]]] = {}
        for view in views:
            for fact, writer in view.writers.items():
                self._writers.setdefault(fact, []).append(writer)

    @property
    def wanted(self) -> AbstractSet[type]:
        """The facts that have a writer here."""
        return self._writers.keys()

    def missing(self, batch: Iterable[Recorded]) -> dict[str, set[Any]]:
        """The keys, per table, that the batch reads and that are not at hand.

        A stream whose first fact is in the batch has no rows yet.
        """
        wanted: dict[str, set[Any]] = {}
        for recorded in batch:
            for _, loads in self._writers.get(type(recorded.fact), ()):
                for table, key in loads(recorded, recorded.fact):
                    if self.documents.knows(table, key):
                        continue
                    if recorded.version == 1 and key == recorded.stream:
                        self.documents.learn(table, key, None)
                    else:
                        wanted.setdefault(table.name, set()).add(key)
        return wanted

    def apply(self, batch: Iterable[Recorded]) -> None:
        """Let every writer have every fact, in order."""
        for recorded in batch:
            self.documents.next_fact()
            for writer, _ in self._writers.get(type(recorded.fact), ()):
                writer(self.documents, recorded, recorded.fact)

    async def load(self, db: AsyncConnection[Any], batch: Sequence[Recorded]) -> None:
        """Read what the batch needs, one query per table."""
        for name, keys in self.missing(batch).items():
            table = self.tables[name]
            found = await rows.load(db, table, keys)
            for key in keys:
                self.documents.learn(table, key, found.get(key))

    async def save(self, db: AsyncConnection[Any], further: Further = lambda _: ()) -> None:
        """Write what the batch changed, and what follows from that."""
        changes = self.documents.changes()
        await execute(db, chain(rows.saving(self.tables, changes), further(changes)))


Note = Callable[[Mapping[str, rows.Changes], int], Iterable[Step]]


class Projector:
    """Drives the pass in one process for as long as it holds the lock."""

    def __init__(
        self,
        url: str,
        store: EventStore,
        views: Sequence[View],
        positions: Positions,
        outbox: Outbox | None = None,
        note: Note | None = None,
    ) -> None:
        """``url`` is the database of the views, with their schema first on its search path.

        ``note`` is told in each transaction what it changed, and says what to write of it.
        """
        self._url = url
        self._store = store
        self._positions = positions
        self._outbox = outbox or NoOutbox()
        self._note = note
        self._pass = Pass((*views, self._outbox.view))
        self._wake = asyncio.Event()
        self._stopping = False
        self._db: AsyncConnection[Any] | None = None
        self._position = -1
        self._epoch = -1

    def wake(self, *_: object) -> None:
        """Something was appended: read on at once."""
        self._wake.set()

    def stop(self) -> None:
        """Finish the batch in hand and return from ``run``."""
        self._stopping = True
        self._wake.set()

    async def run(self) -> None:
        """Keep the views until stopped; survives the loss of its connection."""
        while not self._stopping:
            try:
                await self._hold()
            except (OperationalError, Superseded) as trouble:
                _log.warning("the pass over the views starts again: %s", trouble)
                self._pass.documents.forget()
                self._positions.lost()
                await self._rest()
        await self._close()

    async def _hold(self) -> None:
        db = self._db = await self._connect()
        while not self._stopping and not await self._locked(db):
            self._positions.reached((await self._checkpoint(db))[0])  # of who holds the lock
            await self._rest()
        while not self._stopping:
            self._wake.clear()
            took = await self.step(db)
            if took and not self._positions.awaited:
                await self._gather()
            if took < BATCH and not (took and self._positions.awaited):
                await self._rest()
        await self._close()

    async def _connect(self) -> AsyncConnection[Any]:
        await self._close()
        self._position = self._epoch = -1
        db = await AsyncConnection.connect(self._url, autocommit=True, prepare_threshold=0)
        # Rows and checkpoint are lost together, if at all, and made again from the log.
        await db.execute("SET synchronous_commit TO off")
        return db

    async def _locked(self, db: AsyncConnection[Any]) -> bool:
        found = await db.execute("SELECT pg_try_advisory_lock(%s)", (LOCK,))
        row = await found.fetchone()
        return bool(row and row[0])

    async def _rest(self) -> None:
        try:
            async with asyncio.timeout(POLL_SECONDS):
                await self._wake.wait()
        except TimeoutError:
            return

    async def _gather(self) -> None:
        """Nobody waits: let the next batch grow for a moment, or until somebody does."""
        self._positions.on_wait.clear()
        try:
            async with asyncio.timeout(GATHER_SECONDS):
                await self._positions.on_wait.wait()
        except TimeoutError:
            return

    async def _close(self) -> None:
        if self._db is not None:
            await self._db.close()
            self._db = None

    async def step(self, db: AsyncConnection[Any]) -> int:
        """Project one batch; returns how many facts it had."""
        if self._position < 0:
            await self._outbox.resume(db)
            self._position, self._epoch = await self._checkpoint(db)
            self._positions.reached(self._position)
        batch = await self._store.read(self._position, BATCH)
        if not batch:
            await self._still_there(db)
            await self._report_head()
            return 0
        try:
            await self._project(db, batch)
        except BaseException:
            self._pass.documents.forget()
            self._outbox.forget()
            self._position = -1
            raise
        self._position = batch[-1].position
        self._outbox.saved(self._position)
        self._positions.reached(self._position)
        return len(batch)

    async def _still_there(self, db: AsyncConnection[Any]) -> None:
        """Notice also while nothing happens that the server crashed: rows may have been lost."""
        found = await db.execute(
            "SELECT position, epoch FROM view_checkpoints WHERE name = %s", (CHECKPOINT,)
        )
        if await found.fetchone() != (self._position, self._epoch):
            raise Superseded("the checkpoint is not where it was")

    async def _report_head(self) -> None:
        """Positions beyond the last fact are holes; who waits for one has nothing to wait for."""
        if self._positions.awaited:
            head = await self._store.head()
            if not await self._store.read(self._position, 1):
                self._positions.reached(head)

    async def _checkpoint(self, db: AsyncConnection[Any]) -> tuple[int, int]:
        found = await db.execute(
            "INSERT INTO view_checkpoints (name, position, epoch) VALUES (%s, 0, 0) "
            "ON CONFLICT (name) DO UPDATE SET position = view_checkpoints.position "
            "RETURNING position, epoch",
            (CHECKPOINT,),
        )
        row = await found.fetchone()
        if row is None:
            raise Superseded("the checkpoint is gone")
        return int(row[0]), int(row[1])

    async def _project(self, db: AsyncConnection[Any], batch: Sequence[Recorded]) -> None:
        await self._pass.load(db, batch)
        await self._outbox.prepare(batch)
        self._pass.apply(batch)
        async with db.transaction():
            moved = await db.execute(
                "UPDATE view_checkpoints SET position = %s "
                "WHERE name = %s AND position = %s AND epoch = %s",
                (batch[-1].position, CHECKPOINT, self._position, self._epoch),
            )
            if moved.rowcount != 1:
                raise Superseded("the checkpoint was moved by somebody else")
            await self._pass.save(db, partial(self._further, batch[-1].position))
        self._pass.documents.flushed()

    def _further(self, position: int, changes: Mapping[str, rows.Changes]) -> Iterator[Step]:
        if self._note is not None:
            yield from self._note(changes, position)
        yield from self._outbox.saving(position)


SCHEMA = "views"
CHECKPOINTS_DDL = (
    "CREATE TABLE IF NOT EXISTS view_checkpoints "
    "(name text PRIMARY KEY, position bigint NOT NULL, epoch bigint NOT NULL)"
)


def ddl(tables: Iterable[Table]) -> list[str]:
    """The statements that make the tables of views in the first schema of the search path."""
    return [statement for table in tables for statement in table.ddl()]
