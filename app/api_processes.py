"""The processes that serve the addresses of `up --workers N`, kept at their number."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
from collections.abc import Mapping

from app.api_process import READY
from app.settings import ROOT


RESTART_SECONDS = 0.5

_log = logging.getLogger(__name__)


class ApiProcesses:
    """Starts as many as wanted; one that dies is followed by another."""

    def __init__(
        self,
        count: int,
        core: socket.socket,
        edge: socket.socket,
        variables: Mapping[str, str],
    ) -> None:
        """``variables`` are added to the environment of each."""
        self.started = asyncio.Event()
        self._count = count
        self._sockets = (core.fileno(), edge.fileno())
        self._environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
        self._asked = asyncio.Event()
        self._ready = 0

    async def run(self) -> None:
        """Until stopped; all have ended then."""
        await asyncio.gather(*(self._keep() for _ in range(self._count)))

    def stop(self) -> None:
        """Let each finish what it has in hand."""
        self._asked.set()

    async def _keep(self) -> None:
        while not self._asked.is_set():
            process = await self._start()
            await self._until_ready(process)
            ended = asyncio.create_task(process.wait())
            asked = asyncio.create_task(self._asked.wait())
            await asyncio.wait([ended, asked], return_when=asyncio.FIRST_COMPLETED)
            if self._asked.is_set():
                with contextlib.suppress(ProcessLookupError):
                    process.send_signal(signal.SIGTERM)
            elif not self.started.is_set():
                raise RuntimeError(f"an API process did not start: code {ended.result()}")
            else:
                _log.error("an API process ended with code %s; another follows", ended.result())
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._asked.wait(), RESTART_SECONDS)
            await ended
            asked.cancel()

    async def _start(self) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "app.api_process", str(os.getpid())),
            *map(str, self._sockets),
            pass_fds=self._sockets,
            env=self._environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,  # Ctrl-C reaches the parent alone: it stops things in order
        )

    async def _until_ready(self, process: asyncio.subprocess.Process) -> None:
        if process.stdout is None:
            raise RuntimeError("no pipe to an API process")
        line = await process.stdout.readline()
        if line.decode().strip() == READY:
            self._ready += 1
            if self._ready >= self._count:
                self.started.set()
