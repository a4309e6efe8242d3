"""Group commit: all commands that wait are appended in one transaction (design 4)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from typing import Any

import psycopg
from psycopg import AsyncConnection

from adapters.append_call import APPEND, SETTINGS, answers_of, find_append, take
from adapters.batch import Packed, arguments
from adapters.notifier import Notifier
from kernel.errors import Unavailable
from kernel.gathering import Gathering
from kernel.ports.event_store import Receipt


SMALL_BATCH = 16
SETTLE_ATTEMPTS = 5
RECONNECT_ATTEMPTS = 20
RECONNECT_SECONDS = 0.25
"""For this long, times the attempts, callers wait for a database that restarts."""

LOST = (psycopg.OperationalError, psycopg.InterfaceError)

Stored = Callable[[int, Sequence[tuple[Packed, Receipt]]], None]
"""Told of the position before a batch, and of what it appended behind it."""

log = logging.getLogger(__name__)


class Appender:
    """The one writer of a process."""

    def __init__(self, url: str, notifier: Notifier, stored: Stored) -> None:
        """Connect with the first append; ``stored`` is told of each batch at once."""
        self._stored = stored
        self._url = url
        self._notifier = notifier
        self._db: AsyncConnection[Any] | None = None
        self._gathering: Gathering[Packed, Receipt] = Gathering(self._append, self._half)
        self._in_flight = 0
        self._callbacks: list[tuple[Callable[[int], None], AbstractSet[type] | None]] = []

    def on_append(
        self, callback: Callable[[int], None], wants: AbstractSet[type] | None = None
    ) -> None:
        """Call with the last position after each batch, in this process, at once.

        ``wants``: only after a batch with a fact of these types.
        """
        self._callbacks.append((callback, wants))

    async def append(self, packed: Packed) -> Receipt:
        """Append one command with whatever else waits.

        Raises VersionConflict, ClaimTaken, IdempotencyKeyTaken, KeyRacedError, Unavailable.
        """
        return await self._gathering.submit(packed)

    async def close(self) -> None:
        """Finish what waits, then disconnect."""
        await self._gathering.idle()
        await self._disconnect()

    def _half(self, waiting: list[Packed]) -> list[int]:
        """The next batch: half of those who write, so that the others prepare meanwhile.

        Writers that all wait for the same batch would all be idle while the server works, and the
        server idle while they prepare.
        """
        writers = len(waiting) + self._in_flight
        chosen = take(waiting[: max(SMALL_BATCH, (writers + 1) // 2)])
        self._in_flight = len(chosen)
        return chosen

    async def _append(self, batch: list[Packed]) -> Sequence[Receipt | BaseException]:
        try:
            answers = await self._call(batch)
        except psycopg.errors.QueryCanceled as error:
            answers = [_unavailable(error)] * len(batch)
        except Unavailable as error:
            answers = [error] * len(batch)
        except LOST as error:
            log.warning("lost the database during an append: %s", error)
            answers = await self._settle_all(batch)
        except psycopg.Error as error:
            if len(batch) == 1:
                return [error]
            answers = [(await self._append([packed]))[0] for packed in batch]
        self._announce(zip(batch, answers, strict=True))
        return answers

    def _announce(self, answered: Iterable[tuple[Packed, Receipt | BaseException]]) -> None:
        stored = [(packed, a.last) for packed, a in answered if isinstance(a, Receipt)]
        last = max((position for _, position in stored), default=0)
        if not last:
            return
        self._notifier.notify(last)
        kinds = {type(new.fact) for packed, _ in stored for new in packed.command.facts}
        for callback, wants in self._callbacks:
            if wants is None or not wants.isdisjoint(kinds):
                callback(last)

    async def _call(self, batch: list[Packed]) -> Sequence[Receipt | BaseException]:
        db = await self._connected()
        cursor = await db.execute(APPEND, arguments(batch), prepare=True, binary=True)
        row = await cursor.fetchone()
        answers = answers_of(batch, row)
        accepted = [
            (packed, answer)
            for packed, answer in zip(batch, answers, strict=True)
            if isinstance(answer, Receipt)
        ]
        self._stored(row[0] if row else 0, accepted)
        return answers

    async def _settle_all(self, batch: list[Packed]) -> list[Receipt | BaseException]:
        answers: list[Receipt | BaseException] = []
        cause: BaseException = Unavailable()
        for _ in range(SETTLE_ATTEMPTS):
            await self._disconnect()
            try:
                while len(answers) < len(batch):
                    answers.append(await self._settle(batch[len(answers)]))
            except LOST as error:
                cause = error
            except Unavailable as error:
                cause = error
                break
            else:
                break
        return answers + [_unavailable(cause)] * (len(batch) - len(answers))

    async def _settle(self, packed: Packed) -> Receipt | BaseException:
        """After a lost connection: was it appended? If not, append it now, alone.

        The lost call may still be running in the server. It then comes either before this one,
        which is refused and finds the facts of the command, or after it, and is refused itself.
        """
        if found := await self._find(packed):
            return found
        try:
            [answer] = await self._call([packed])
        except LOST:
            raise
        except psycopg.Error as error:
            return error
        return answer if isinstance(answer, Receipt) else await self._find(packed) or answer

    async def _find(self, packed: Packed) -> Receipt | None:
        """The receipt of a command that is in the log already."""
        db = await self._connected()
        cursor = await db.execute(*find_append(packed))
        row = await cursor.fetchone()
        return Receipt(row[0], row[0] + len(packed.facts) - 1, row[1]) if row else None

    async def _connected(self) -> AsyncConnection[Any]:
        if self._db is not None and not self._db.closed:
            return self._db
        for _ in range(RECONNECT_ATTEMPTS):
            try:
                self._db = await AsyncConnection.connect(self._url, autocommit=True)
                await self._db.execute(SETTINGS)
            except psycopg.OperationalError as error:
                log.warning("cannot reach the database: %s", error)
                await asyncio.sleep(RECONNECT_SECONDS)
            else:
                return self._db
        raise Unavailable("The log cannot be reached at the moment.")

    async def _disconnect(self) -> None:
        if self._db is not None:
            with suppress(psycopg.Error):
                await self._db.close()
            self._db = None


def _unavailable(cause: BaseException) -> Unavailable:
    error = Unavailable("The log cannot be written at the moment.")
    error.__cause__ = cause
    return error
