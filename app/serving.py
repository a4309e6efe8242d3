"""Parts that run side by side in one process until a signal, stopped in the reverse order."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, runtime_checkable

import uvicorn
from starlette.types import ASGIApp


SIGNALS = (signal.SIGINT, signal.SIGTERM)
DRAIN_SECONDS = 10
STOP_SECONDS = 30.0

_log = logging.getLogger(__name__)


class Part(Protocol):
    """Something that runs until it is told to stop."""

    async def run(self) -> None:
        """Return after ``stop``; an exception ends the process."""

    def stop(self) -> None:
        """Finish what is in hand, then return from ``run``."""


@runtime_checkable
class Starting(Protocol):
    """A part that says when it has started."""

    @property
    def started(self) -> asyncio.Event:
        """Set once it has."""


class _Server(uvicorn.Server):
    """uvicorn without its own signal handling: the process stops its parts in order."""

    def __init__(self, config: uvicorn.Config) -> None:
        """Say aloud when connections are answered."""
        super().__init__(config)
        self.answering = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer."""
        await super().startup(sockets)
        self.answering.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals to the process."""
        yield


class Http:
    """An ASGI app on a socket."""

    def __init__(self, app: ASGIApp, listener: socket.socket) -> None:
        """Take a socket that already listens."""
        self._listener = listener
        logging.getLogger("uvicorn.access").disabled = True  # whoever attaches a handler to it
        self._server = _Server(
            uvicorn.Config(
                app,
                loop="none",
                http="httptools",
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,  # addresses may carry tokens
                server_header=False,
                timeout_graceful_shutdown=DRAIN_SECONDS,
                timeout_keep_alive=75,
                h11_max_incomplete_event_size=64 * 1024,
            )
        )

    async def run(self) -> None:
        """Serve until stopped; requests in hand are finished."""
        await self._server.serve(sockets=[self._listener])

    def stop(self) -> None:
        """Accept nothing more."""
        self._server.should_exit = True

    @property
    def started(self) -> asyncio.Event:
        """Set once connections are answered."""
        return self._server.answering


async def run_parts(parts: Sequence[Part], ready: Callable[[], None]) -> bool:
    """Run the parts until a signal or until one ends by itself; False in the latter case.

    They are stopped in the reverse order, each having ended before the next is told.
    """
    asked = asyncio.Event()
    for number in SIGNALS:
        asyncio.get_running_loop().add_signal_handler(number, asked.set)
    tasks = [asyncio.create_task(part.run()) for part in parts]
    for task in tasks:
        task.add_done_callback(lambda _: asked.set())
    announcing = asyncio.create_task(_announce(parts, ready))
    await asked.wait()
    announcing.cancel()
    well = not any(task.done() for task in tasks)
    for part, task in zip(reversed(parts), reversed(tasks), strict=True):
        await _stop(part, task)
    failed = [_failed(task) for task in tasks]
    return well and not any(failed)


async def _announce(parts: Sequence[Part], ready: Callable[[], None]) -> None:
    for part in parts:
        if isinstance(part, Starting):
            await part.started.wait()
    ready()


async def _stop(part: Part, task: asyncio.Task[None]) -> None:
    part.stop()
    done, _ = await asyncio.wait([task], timeout=STOP_SECONDS)
    if not done:
        _log.error("%s did not stop within %d s", part, STOP_SECONDS)
        task.cancel()
        await asyncio.wait([task])


def _failed(task: asyncio.Task[None]) -> bool:
    if task.cancelled():
        return True
    error = task.exception()
    if error is not None:
        _log.error("a part of the process failed", exc_info=error)
    return error is not None
