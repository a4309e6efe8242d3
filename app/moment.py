"""An engine for the length of one verb: no workers, no sockets."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import uvloop

from app.databases import database
from app.serve import place_of
from app.settings import Settings
from app.wiring import Engine, prepare


R = TypeVar("R")


def with_engine(settings: Settings, work: Callable[[Engine], Awaitable[R]]) -> R:
    """What the work comes to, on the database of the settings. Raises CannotStart."""

    async def do() -> R:
        engine = await Engine.open(place)
        try:
            return await work(engine)
        finally:
            await engine.close()

    with database(settings) as url:
        prepare(url, settings.environment)
        place = place_of(settings, url)
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(do())
