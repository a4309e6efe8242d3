"""`up`: the whole engine in one process beside its database."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from socket import socket

import uvloop

from app import BEGUN, logs
from app.api_process import apis
from app.api_processes import ApiProcesses
from app.data_dir import DataDir
from app.databases import database
from app.first_organization import SLUG, first_organization
from app.listening import address, listen
from app.place import Place
from app.serve import place_of
from app.serving import Part, run_parts
from app.settings import Settings
from app.wiring import Engine, prepare
from app.workers import Workers
from kernel.tenant import Environment


Say = Callable[[str], None]


def run(settings: Settings, say: Say) -> bool:
    """Everything from set-up to a clean stop, the database last; False when a part failed.

    :raises CannotStart: with the reason.
    """
    folder = DataDir(settings.data_dir)
    lost: list[str] = []

    def on_lost(reason: str) -> None:
        lost.append(reason)
        say(reason)
        os.kill(os.getpid(), signal.SIGTERM)

    logs.configure()
    signal.signal(signal.SIGTERM, _leave)  # until the parts run and are stopped in order
    with ExitStack() as stack:
        stack.enter_context(folder.owned())
        core = stack.enter_context(listen(settings.host, settings.port))
        edge = stack.enter_context(listen(settings.host, settings.edge_port))
        url = stack.enter_context(database(settings, on_lost))
        prepare(url, settings.environment)
        sandbox = settings.environment is Environment.SANDBOX
        place = replace(
            place_of(settings, url, address(core)),
            private_webhooks=settings.private_webhooks or sandbox,
        )
        runner = stack.enter_context(asyncio.Runner(loop_factory=uvloop.new_event_loop))
        up = _Up(settings, folder, say)
        return runner.run(up.serve(place, core, edge)) and not lost


def _leave(number: int, frame: object) -> None:
    del frame
    raise SystemExit(128 + number)


class _Up:
    """One run, from an open database to the stop."""

    def __init__(self, settings: Settings, folder: DataDir, say: Say) -> None:
        self._settings = settings
        self._folder = folder
        self._say = say

    async def serve(self, place: Place, core: socket, edge: socket) -> bool:
        """Run all parts; False when one failed."""
        engine = await Engine.open(place)
        try:
            found = await first_organization(engine, self._settings, self._folder)
            parts: list[Part] = [Workers(engine), engine.listener()]
            if count := self._settings.workers:
                parts.append(ApiProcesses(count, core, edge, self._variables(place)))
            else:
                parts += apis(engine, core, edge)
            return await run_parts(parts, lambda: self._announce(core, edge, found))
        finally:
            await engine.close()

    def _variables(self, place: Place) -> dict[str, str]:
        """What another process needs to be part of this run."""
        return {
            "BILLSTREAM_DATABASE_URL": place.database_url,
            "BILLSTREAM_ENVIRONMENT": place.environment,
            "BILLSTREAM_DATA_DIR": str(self._settings.data_dir),
            "BILLSTREAM_PUBLIC_URL": place.base_url,
            "BILLSTREAM_PRIVATE_WEBHOOKS": str(place.private_webhooks),
        }

    def _announce(self, core: socket, edge: socket, keys: Mapping[str, str]) -> None:
        self._say(f"core API    {address(core)}/api/v1/")
        self._say(f"edge API    {address(edge)}/api/v1/")
        self._say(f"API docs    {address(core)}/docs")
        for kind, key in keys.items():
            self._say(f"{kind} key  {key}")
        seconds = time.monotonic() - BEGUN
        self._say(f"ready in {seconds:.1f} s: {self._settings.environment}, organization {SLUG}")
