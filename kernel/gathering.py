"""What waits while the last call runs is done by the next call, together."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar


Q = TypeVar("Q")
A = TypeVar("A")


class Gathering(Generic[Q, A]):
    """Turns many concurrent requests into few calls, without any timer.

    ``flush`` answers a batch in its order; an exception among the answers is raised to its caller.
    ``take`` removes the next batch from what waits. A request whose caller went away is done
    nevertheless.
    """

    def __init__(
        self,
        flush: Callable[[list[Q]], Awaitable[Sequence[A | BaseException]]],
        take: Callable[[list[Q]], list[int]] | None = None,
        most: int = 1000,
    ) -> None:
        """``take`` names the indexes of the next batch; without it, the first ``most``."""
        self._flush = flush
        self._take = take
        self._most = most
        self._waiting: list[tuple[Q, asyncio.Future[A]]] = []
        self._running: asyncio.Task[None] | None = None

    async def submit(self, request: Q) -> A:
        """The answer to one request, or its exception."""
        future: asyncio.Future[A] = asyncio.get_running_loop().create_future()
        self._waiting.append((request, future))
        if self._running is None:
            self._running = asyncio.create_task(self._run())
        return await future

    async def idle(self) -> None:
        """Return once nothing waits and nothing runs."""
        while self._running is not None:
            await asyncio.wait([self._running])

    async def _run(self) -> None:
        try:
            while self._waiting:
                batch = self._next()
                try:
                    answers = await self._flush([request for request, _ in batch])
                except BaseException as error:
                    answers = [error] * len(batch)
                    if not isinstance(error, Exception):
                        raise
                finally:
                    self._answer(batch, answers)
        finally:
            self._running = None

    def _next(self) -> list[tuple[Q, asyncio.Future[A]]]:
        waiting = self._waiting
        if self._take is None:
            batch, self._waiting = waiting[: self._most], waiting[self._most :]
            return batch
        chosen = self._take([request for request, _ in waiting])
        if len(chosen) == len(waiting):
            self._waiting = []
            return waiting
        picked = set(chosen)
        self._waiting = [entry for i, entry in enumerate(waiting) if i not in picked]
        return [waiting[i] for i in chosen]

    @staticmethod
    def _answer(
        batch: list[tuple[Q, asyncio.Future[A]]], answers: Sequence[A | BaseException]
    ) -> None:
        for (_, future), answer in zip(batch, answers, strict=True):
            if future.done():
                continue
            if isinstance(answer, BaseException):
                future.set_exception(answer)
            else:
                future.set_result(answer)
