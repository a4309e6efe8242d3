"""Tells who waits for a stream in this process that something was appended to it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from uuid import UUID

from kernel.ports.event_store import NewFact


class Watches:
    """A hint, never relied upon: who waits also looks by itself, as others append too."""

    def __init__(self) -> None:
        """Nobody waits."""
        self._waiting: dict[UUID, set[asyncio.Event]] = {}

    @contextmanager
    def on(self, stream: UUID) -> Iterator[asyncio.Event]:
        """An event that is set with each append to the stream."""
        event = asyncio.Event()
        self._waiting.setdefault(stream, set()).add(event)
        try:
            yield event
        finally:
            waiting = self._waiting[stream]
            waiting.discard(event)
            if not waiting:
                del self._waiting[stream]

    def appended(self, facts: Iterable[NewFact]) -> None:
        """Wake who waits for these streams."""
        if not self._waiting:
            return
        for fact in facts:
            for event in self._waiting.get(fact.stream, ()):
                event.set()
