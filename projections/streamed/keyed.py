"""Projects the partitions that a member of the group is given.

Each partition has documents of its own and moves its position and offset in the transaction of the
rows, conditional on where they stood: a member that lost a partition without knowing can write
nothing into it any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from psycopg import AsyncConnection

from kernel.ports.partitions import Partitions, StreamFacts, StreamRecord
from projections.engine import Pass, Superseded
from projections.streamed.private import KEYED
from projections.streamed.running import Member


@dataclass(slots=True)
class _Partition:
    """Where one stands, and what it remembers."""

    running: Pass
    next_offset: int
    position: int


class KeyedMember(Member):
    """One of any number."""

    def __init__(self, url: str, partitions: Partitions, facts: StreamFacts) -> None:
        """``url`` is the database of the views."""
        super().__init__(KEYED.url(url), partitions)
        self._facts = facts
        self._held: dict[int, _Partition] = {}

    async def _work(self, db: AsyncConnection[Any]) -> None:
        self._held.clear()
        while not self._stopped.is_set():
            polled = await self._partitions.poll()
            if not polled.records:
                await db.execute("SELECT")  # notices that the server crashed: it may have lost rows
            for partition in polled.lost:
                self._held.pop(partition, None)
            if polled.fresh:
                await self._take_up(db, sorted(polled.fresh))
            for partition, records in polled.records.items():
                if partition in self._held:
                    await self._project(db, partition, records)

    async def _take_up(self, db: AsyncConnection[Any], fresh: Sequence[int]) -> None:
        found = await db.execute(
            "SELECT partition, next_offset, position FROM view_partitions"
            " WHERE member = %s AND partition = ANY(%s)",
            (KEYED.name, list(fresh)),
        )
        rows = await found.fetchall()
        for partition, next_offset, position in rows:
            self._held[partition] = _Partition(KEYED.new_pass(), next_offset, position)
        await self._partitions.start({partition: offset for partition, offset, _ in rows})

    async def _project(
        self, db: AsyncConnection[Any], partition: int, records: Sequence[StreamRecord]
    ) -> None:
        held = self._held[partition]
        running = held.running
        told = await self._facts.read([record.value for record in records], running.wanted)
        batch = []
        position = held.position
        for each in told:
            if each.recorded is not None and each.position > position:
                batch.append(each.recorded)  # else the publisher's repeated tail
            position = max(position, each.position)
        await running.load(db, batch)
        running.apply(batch)
        next_offset = records[-1].offset + 1
        async with db.transaction():
            moved = await db.execute(
                "UPDATE view_partitions SET next_offset = %s, position = %s"
                " WHERE member = %s AND partition = %s AND next_offset = %s",
                (next_offset, position, KEYED.name, partition, held.next_offset),
            )
            if moved.rowcount != 1:
                raise Superseded(f"partition {partition} is another member's")
            await running.save(db)
        running.documents.flushed()
        held.next_offset, held.position = next_offset, position
