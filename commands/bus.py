"""Dispatches a command to its handler and appends what was decided, with bounded retries."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID
from weakref import WeakValueDictionary

from commands.context import Context
from commands.state_cache import StateCache
from commands.trace import Trace
from commands.unit_of_work import UnitOfWork
from commands.watches import Watches
from kernel.errors import Refused, Unavailable
from kernel.ports.clock import Clock
from kernel.ports.event_store import (
    Append,
    ClaimTaken,
    EventStore,
    NewFact,
    Receipt,
    VersionConflict,
)


ATTEMPTS = 5
"""A client's command is decided at most this often, then 409 (design 4)."""

C = TypeVar("C")
R = TypeVar("R")
Handler = Callable[[UnitOfWork, Any], Awaitable[Any]]
_HANDLERS: dict[type, Handler] = {}


def handles(
    command: type[C],
) -> Callable[[Callable[[UnitOfWork, C], Awaitable[R]]], Callable[[UnitOfWork, C], Awaitable[R]]]:
    """Register the handler of a command type."""

    def register(
        handler: Callable[[UnitOfWork, C], Awaitable[R]],
    ) -> Callable[[UnitOfWork, C], Awaitable[R]]:
        if command in _HANDLERS:
            message = f"{command.__name__} has two handlers"
            raise ValueError(message)
        _HANDLERS[command] = handler
        return handler

    return register


def handler_of(command: Any) -> Handler:
    """The handler of a command, for one that stands around it in the same unit of work."""
    return _HANDLERS[type(command)]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command came to.

    ``position`` is where the client's next read must have got to; ``facts`` is empty when nothing
    had to change; ``result`` is what the handler returned.
    """

    position: int
    facts: tuple[NewFact, ...]
    result: Any


APPENDED: Trace[tuple[Append, Receipt]] = Trace("appended")
"""What the commands of this task and its children appended, for who wants to know."""


class Bus:
    """The door to all commands of one process."""

    def __init__(self, store: EventStore, clock: Clock) -> None:
        """Share one cache of folded states between all commands of the process."""
        self.store = store
        self.clock = clock
        self.cache = StateCache()
        self.watches = Watches()
        self._locks: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()

    async def dispatch(self, command: Any, context: Context) -> Outcome:
        """Run a command to its end. Raises whatever Refused it comes to."""
        work = UnitOfWork(self.store, self.cache, self.clock, context)
        try:
            return await self._attempt(command, work)
        except (VersionConflict, ClaimTaken):
            pass
        except Unavailable:
            raise  # trying again at once would double the wait
        except Refused:
            if not work.used_cache:
                raise
        return await self._serialized(command, work)

    async def preview(self, command: Any, context: Context) -> Any:
        """Decide, throw the facts away, and return what the handler returned."""
        work = UnitOfWork(self.store, self.cache, self.clock, context, fresh=True)
        return await handler_of(command)(work, command)

    async def _serialized(self, command: Any, work: UnitOfWork) -> Outcome:
        """Try again, one command of this process at a time on these streams."""
        for attempt in range(1, 1_000_000):
            stale = work
            stale.forget()
            work = stale.retried()
            async with self._locked(stale.streams):
                try:
                    return await self._attempt(command, work)
                except (VersionConflict, ClaimTaken) as conflict:
                    if attempt >= ATTEMPTS - 1 and not work.context.persistent:
                        raise VersionConflict from conflict
            if attempt >= ATTEMPTS:
                await asyncio.sleep(min(0.001 * attempt, 0.1))
        raise VersionConflict

    async def _attempt(self, command: Any, work: UnitOfWork) -> Outcome:
        result = await handler_of(command)(work, command)
        if not work.facts and work.used_cache:
            raise VersionConflict  # "nothing to do" must not rest on a stale state
        append = work.to_append()
        if not append.facts and not append.claims and append.idempotency is None:
            work.remember()
            return Outcome(await self.store.head(), (), result)
        try:
            receipt = await self.store.append(append)
        except ClaimTaken as taken:
            refusal = work.refusal_of(taken.claims)
            if refusal is None:
                raise
            raise refusal from taken
        work.remember()
        APPENDED.report((append, receipt))
        self.watches.appended(append.facts)
        return Outcome(receipt.last, append.facts, result)

    @asynccontextmanager
    async def _locked(self, streams: Iterable[UUID]) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            held = []
            for stream in sorted(streams):
                lock = self._locks.get(stream)
                if lock is None:
                    lock = self._locks[stream] = asyncio.Lock()
                held.append(lock)
                await stack.enter_async_context(lock)
            yield
