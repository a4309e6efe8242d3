"""Publishes the log to Kafka by position: at least once, in order, never two publishers at a time.

The position is stored after the commit, so a crash repeats at most the tail. A lease lets another
process take over from one that is stopped; the broker's fence keeps the one that wakes again from
committing anything more (design 10).
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final, Protocol

from kernel.ports.broker import Broker, Fenced, Message
from kernel.ports.fact_stream import FactStream, Selection, StoredFact
from projections.positions import Positions
from wire.cloud_event import cloud_event
from wire.stream import PARTITIONS, heartbeat, key_of, partition_of


NAME: Final = "publish_to_kafka"
BATCH: Final = 2_000
POLL_SECONDS: Final = 0.2
STANDBY_SECONDS: Final = 1.0
HEARTBEAT_SECONDS: Final = 1.0
GRACE_SECONDS: Final = 5.0
"""At the end, a transaction under way is waited for no longer than this."""

BACKOFF_SECONDS: Final = (0.1, 0.5, 1.0, 2.0, 5.0)

_log = logging.getLogger(__name__)
_EVERYTHING = Selection()


class Leases(Protocol):
    """Where the publisher keeps how far it is, and which process publishes."""

    async def acquire(self, name: str) -> int | None:
        """The position reached, if this process may publish; None while another one does."""

    async def save(self, name: str, position: int) -> None:
        """Everything up to ``position`` is published. Raises when the lease was lost."""

    async def renew(self, name: str) -> None:
        """Go on holding the lease. Raises when it was lost."""

    async def release(self, name: str) -> None:
        """Let another process take over."""


class Publisher:
    """Drives the stream for as long as this process holds the lease."""

    name = NAME

    def __init__(
        self,
        facts: FactStream,
        broker: Broker,
        leases: Leases,
        *,
        topic: str,
        source: str,
        renew_seconds: float = 3.0,
    ) -> None:
        """``source`` names the log in every event; ``positions`` tells others how far it is."""
        self.positions = Positions()
        self._facts = facts
        self._broker = broker
        self._leases = leases
        self._topic = topic
        self._source = source
        self._renew_seconds = renew_seconds
        self._wake = asyncio.Event()
        self._stopped = asyncio.Event()
        self._failures = 0
        self._beat = _Beat()

    def wake(self, *_: object) -> None:
        """Something was appended: read on at once."""
        self._wake.set()

    def stop(self) -> None:
        """Finish the transaction in hand, if the broker lets it, and return from ``run``."""
        self._stopped.set()
        self._wake.set()

    async def run(self) -> None:
        """Publish until stopped; takes up again after any trouble."""
        while not self._stopped.is_set():
            try:
                await self._hold()
            except Fenced:
                _log.warning("another publisher has taken over: standing by")
                await self._let_go()
            except Exception as trouble:  # noqa: BLE001 whatever it is, say so and start again
                _log.warning("publishing starts again: %s", trouble, exc_info=not self._failures)
                await self._let_go()
        await self._let_go()

    async def _let_go(self) -> None:
        await self._broker.close()
        with suppress(Exception):  # the session may be what was lost
            await self._leases.release(NAME)
        pause = BACKOFF_SECONDS[min(self._failures, len(BACKOFF_SECONDS) - 1)]
        self._failures += 1
        await _until(self._stopped, pause)

    async def _hold(self) -> None:
        position = await self._leases.acquire(NAME)
        if position is None:
            await _until(self._stopped, STANDBY_SECONDS)
            return
        self.positions.reached(position)
        renewing = asyncio.create_task(self._renew())
        try:
            await self._unless_stopped(self._publish_from(position), renewing)
        finally:
            renewing.cancel()

    async def _unless_stopped(
        self, publishing: Coroutine[Any, Any, None], renewing: asyncio.Task[None]
    ) -> None:
        """Until it ends by itself, the lease is lost, or the grace after a stop is over."""
        task = asyncio.create_task(publishing)
        stopped = asyncio.create_task(self._stopped.wait())
        try:
            await asyncio.wait([task, stopped, renewing], return_when=asyncio.FIRST_COMPLETED)
            if not task.done() and not renewing.done():
                await asyncio.wait([task], timeout=GRACE_SECONDS)
        finally:
            stopped.cancel()
            task.cancel()
            await asyncio.wait([task])
        for each in (task, renewing):
            if each.done() and not each.cancelled():
                await each

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(self._renew_seconds)
            await self._leases.renew(NAME)

    async def _publish_from(self, position: int) -> None:
        await self._broker.begin()
        self._beat = _Beat()
        while not self._stopped.is_set():
            self._wake.clear()
            stretch = await self._facts.read(position, BATCH, _EVERYTHING)
            if stretch.until > position:
                await self._publish(stretch.facts, stretch.until)
                position = stretch.until
                continue
            await self._beat_when_due(position)
            await _until(self._wake, POLL_SECONDS)

    async def _publish(self, facts: Sequence[StoredFact], until: int) -> None:
        messages = [*map(self.message, facts), *self._heartbeats(until)]
        if messages:
            await self._broker.publish(messages)
        await self._leases.save(NAME, until)
        self._failures = 0
        self.positions.reached(until)

    async def _beat_when_due(self, position: int) -> None:
        """The last facts before a silence are vouched for as well."""
        if messages := self._heartbeats(position):
            await self._broker.publish(messages)

    def message(self, fact: StoredFact) -> Message:
        """The record of a fact."""
        return Message(
            self._topic,
            partition_of(fact.owner),
            key_of(fact.owner),
            cloud_event(fact, self._source),
            fact.recorded_at,
        )

    def _heartbeats(self, position: int) -> list[Message]:
        if not self._beat.due(position):
            return []
        now = datetime.now(UTC)
        return [
            Message(self._topic, each, None, heartbeat(position, each, self._source, now), now)
            for each in range(PARTITIONS)
        ]


class _Beat:
    """When the partitions are told how far the whole stream is: once a second at most.

    A publisher that begins says it again: the one before may have died before it could.
    """

    def __init__(self) -> None:
        self._told_position = 0
        self._told_at = float("-inf")

    def due(self, position: int) -> bool:
        """Whether to tell the position now; it then counts as told."""
        now = time.monotonic()
        if position <= self._told_position or now - self._told_at < HEARTBEAT_SECONDS:
            return False
        self._told_position, self._told_at = position, now
        return True


async def _until(event: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
