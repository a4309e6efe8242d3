"""Projects the views that need all partitions, in the order of the log.

A fact is applied once every partition has told a position beyond it (a fact's own, or a heartbeat):
then nothing that precedes it can still come. One process does this at a time.
"""

from __future__ import annotations

import heapq
from collections import deque
from dataclasses import dataclass, field
from typing import Any, Final

from psycopg import AsyncConnection

from kernel.ports.event_store import Recorded
from kernel.ports.partitions import Partitions, Polled, StreamFacts
from projections import engine
from projections.engine import Superseded
from projections.streamed.private import ACROSS, KEYED
from projections.streamed.running import Member


LOCK: Final = 0x62696C6E
STANDBY_SECONDS: Final = 1.0


@dataclass(slots=True)
class _Partition:
    """What one has told: ``waiting`` are facts with their offsets, the oldest first."""

    next_offset: int
    position: int
    waiting: deque[tuple[int, Recorded]] = field(default_factory=deque)

    @property
    def resume(self) -> tuple[int, int]:
        """The offset to read on from after a crash, and what had been told before it."""
        if not self.waiting:
            return self.next_offset, self.position
        offset, recorded = self.waiting[0]
        return offset, recorded.position - 1

    def taken_up_to(self, position: int) -> list[Recorded]:
        """The facts up to a position, which wait no more."""
        taken = []
        while self.waiting and self.waiting[0][1].position <= position:
            taken.append(self.waiting.popleft()[1])
        return taken


class AcrossMember(Member):
    """The one that works, or one that stands by."""

    def __init__(self, url: str, partitions: Partitions, facts: StreamFacts) -> None:
        """``url`` is the database of the views."""
        super().__init__(ACROSS.url(url), partitions)
        self._facts = facts
        self._pass = ACROSS.new_pass()
        self._held: dict[int, _Partition] = {}
        self._applied = 0

    async def _may_work(self, db: AsyncConnection[Any]) -> bool:
        found = await db.execute("SELECT pg_try_advisory_lock(%s)", (LOCK,))
        if await found.fetchone() == (True,):
            return True
        await self.rest(STANDBY_SECONDS)
        return False

    async def _work(self, db: AsyncConnection[Any]) -> None:
        self._pass = ACROSS.new_pass()
        await self._take_up(db)
        while not self._stopped.is_set():
            await self._hear(await self._partitions.poll())
            await self._project(db)
            await self._tell(db)

    async def _take_up(self, db: AsyncConnection[Any]) -> None:
        found = await db.execute(
            "SELECT position FROM view_checkpoints WHERE name = %s", (ACROSS.name,)
        )
        row = await found.fetchone()
        self._applied = int(row[0]) if row else 0
        found = await db.execute(
            "SELECT partition, next_offset, position FROM view_partitions WHERE member = %s",
            (ACROSS.name,),
        )
        self._held = {
            partition: _Partition(offset, position)
            for partition, offset, position in await found.fetchall()
        }
        await self._partitions.start({each: held.next_offset for each, held in self._held.items()})

    async def _hear(self, polled: Polled) -> None:
        for partition, records in polled.records.items():
            held = self._held[partition]
            told = await self._facts.read([r.value for r in records], self._pass.wanted)
            for record, each in zip(records, told, strict=True):
                if each.recorded is not None and each.position > held.position:
                    held.waiting.append((record.offset, each.recorded))
                held.position = max(held.position, each.position)
            held.next_offset = records[-1].offset + 1

    async def _project(self, db: AsyncConnection[Any]) -> None:
        until = min(held.position for held in self._held.values())
        if until <= self._applied:
            return
        ready = [held.taken_up_to(until) for held in self._held.values()]
        batch = list(heapq.merge(*ready, key=lambda recorded: recorded.position))
        await self._pass.load(db, batch)
        self._pass.apply(batch)
        async with db.transaction():
            moved = await db.execute(
                "UPDATE view_checkpoints SET position = %s WHERE name = %s AND position = %s",
                (until, ACROSS.name, self._applied),
            )
            if moved.rowcount != 1:
                raise Superseded("another member has taken over")
            await self._pass.save(db)
            await self._keep_offsets(db)
        self._pass.documents.flushed()
        self._applied = until

    async def _keep_offsets(self, db: AsyncConnection[Any]) -> None:
        held = self._held
        offsets, positions = (
            list(column) for column in zip(*(each.resume for each in held.values()), strict=True)
        )
        await db.execute(
            "UPDATE view_partitions v SET next_offset = h.resume, position = h.position"
            " FROM unnest(%s::int[], %s::bigint[], %s::bigint[]) AS h(partition, resume, position)"
            " WHERE v.member = %s AND v.partition = h.partition",
            (list(held), offsets, positions, ACROSS.name),
        )

    async def _tell(self, db: AsyncConnection[Any]) -> None:
        """Up to where all views are, for who waits for a position."""
        await db.execute(
            "UPDATE view_checkpoints SET position = least(%s, (SELECT min(position)"
            " FROM view_partitions WHERE member = %s)) WHERE name = %s"
            " AND position < least(%s, (SELECT min(position)"
            " FROM view_partitions WHERE member = %s))",
            (self._applied, KEYED.name, engine.CHECKPOINT, self._applied, KEYED.name),
        )
