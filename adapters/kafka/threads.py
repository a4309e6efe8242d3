"""Runs blocking calls of the client beside the event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar


T = TypeVar("T")


def in_thread(work: Callable[[], T]) -> asyncio.Future[T]:
    """The outcome of ``work`` in a thread that never keeps the process from ending.

    A client that waits for a broker cannot be interrupted; a thread of a pool would be joined at
    exit.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(done: Callable[[Any], None], outcome: Any) -> None:
        if not future.done():
            done(outcome)

    def run() -> None:
        try:
            outcome = work()
        except BaseException as error:  # noqa: BLE001 raised where the future is awaited
            done, outcome = future.set_exception, error  # type: ignore[assignment]
        else:
            done = future.set_result  # type: ignore[assignment]
        with suppress(RuntimeError):  # the loop is closed: nobody waits
            loop.call_soon_threadsafe(settle, done, outcome)

    threading.Thread(target=run, daemon=True, name="kafka").start()
    return future
