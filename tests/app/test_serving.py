"""Parts of a process run side by side and end in the reverse order of their start."""

import asyncio
import os
import signal

import httpx
import pytest

from adapters.cannot_start import CannotStart
from app.listening import address, listen
from app.serving import Http, run_parts


class Recorder:
    """A part that notes when it ends, or that fails at once."""

    def __init__(self, name, log, *, fails=False):
        self.name, self.log, self.fails = name, log, fails
        self.asked = asyncio.Event()

    async def run(self):
        if self.fails:
            raise RuntimeError(self.name)
        await self.asked.wait()
        self.log.append(self.name)

    def stop(self):
        self.asked.set()


async def answer(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"here"})


async def test_a_signal_stops_the_parts_last_started_first():
    log = []
    parts = [Recorder("views", log), Recorder("api", log)]
    assert await run_parts(parts, ready=lambda: os.kill(os.getpid(), signal.SIGTERM))
    assert log == ["api", "views"]


async def test_a_part_that_fails_stops_the_others_and_is_reported():
    log = []
    parts = [Recorder("views", log), Recorder("api", log, fails=True)]
    assert not await run_parts(parts, ready=lambda: None)
    assert log == ["views"]


async def test_ready_is_said_when_connections_are_answered():
    listener = listen("127.0.0.1", 0)
    where = address(listener)
    answers = []

    def ask():
        async def get():
            async with httpx.AsyncClient(timeout=60) as client:
                answers.append((await client.get(where)).text)
            os.kill(os.getpid(), signal.SIGINT)

        ask.task = asyncio.get_running_loop().create_task(get())

    assert await run_parts([Http(answer, listener)], ready=ask)
    assert answers == ["here"]


def test_a_port_in_use_is_told():
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotStart, match=f"port {port} is in use"):
            listen("127.0.0.1", port)
