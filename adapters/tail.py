"""The newest facts, decoded once for all the readers of a process that keep up with the log."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Awaitable, Callable, Sequence
from operator import attrgetter

from kernel.gathering import Gathering
from kernel.ports.event_store import Recorded


Fetch = Callable[[int, int], Awaitable[list[Recorded]]]
FETCH = 1_000

_position = attrgetter("position")


class Tail:
    """Answers ``read`` from memory when the reader is near the head, else from the log.

    Holds every fact beyond ``_floor`` up to the last one fetched, without holes: a reader of
    ``position > after`` misses nothing because positions are committed in order.
    """

    def __init__(self, fetch: Fetch, capacity: int = 5_000) -> None:
        """``fetch`` reads the log; keep at most about ``capacity`` facts."""
        self._fetch = fetch
        self._capacity = capacity
        self._facts: list[Recorded] = []
        self._floor: int | None = None
        self._growing: Gathering[None, None] = Gathering(self._grow)

    async def read(self, after: int, limit: int) -> list[Recorded]:
        """Facts beyond ``after``, in order, at most ``limit``."""
        if not self._holds(after):
            return await self._behind(after, limit)
        found = self._held(after, limit)
        if not found:
            await self._growing.submit(None)
            if not self._holds(after):
                return await self._fetch(after, limit)
            found = self._held(after, limit)
            if not found and after > self._last():
                return await self._fetch(after, limit)  # who was ahead: another process led it here
        return found

    def ends_at(self, position: int) -> bool:
        """Whether the fact at this position is the last one held: what follows it may be added."""
        return self._floor is not None and self._last() == position

    def add(self, facts: Sequence[Recorded]) -> None:
        """Take over what this process has just appended right behind the last fact held."""
        self._facts += facts
        self._trim()

    def _holds(self, after: int) -> bool:
        return self._floor is not None and after >= self._floor

    async def _behind(self, after: int, limit: int) -> list[Recorded]:
        """From the log; a reader that has just caught up begins the tail."""
        found = await self._fetch(after, limit)
        if self._floor is None and len(found) < limit:
            self._floor = after
            self._facts = list(found)
        return found

    def _held(self, after: int, limit: int) -> list[Recorded]:
        start = bisect_right(self._facts, after, key=_position)
        return self._facts[start : start + limit]

    def _last(self) -> int:
        return self._facts[-1].position if self._facts else self._floor or 0

    async def _grow(self, asked: list[None]) -> list[None]:
        """Fetch what lies beyond the last fact held; who asked meanwhile asks again."""
        found = await self._fetch(self._last(), FETCH)
        last = self._last()  # meanwhile some may have been added
        self._facts += [recorded for recorded in found if recorded.position > last]
        self._trim()
        return asked

    def _trim(self) -> None:
        if len(self._facts) > 2 * self._capacity:
            gone = len(self._facts) - self._capacity
            self._floor = self._facts[gone - 1].position
            del self._facts[:gone]
