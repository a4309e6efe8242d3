"""An engine with a process for each part, as an operator runs it, and a merchant who insists."""

import asyncio
import base64
import signal
from contextlib import asynccontextmanager
from uuid import uuid4

import httpx

from tests.engines import MASTER_KEY
from tests.processes import Process
from tests.webhooks.what_is_missing import last_words, standing


PATIENCE = 200
ALTOGETHER = 480
PUBLIC_URL = "https://pay.example"
SENDERS = ("one sender", "another sender")


class Town:
    """The processes of an engine; each can be killed and is then started anew."""

    def __init__(self, variables, others):
        self._variables = variables
        self._made = {
            "write-api": (("serve", "write-api"), "app"),
            "views": (("worker", "views"), "app"),
            "others": (("worker", *others), "app"),
            **dict.fromkeys(SENDERS, ((), "tests.webhooks.impatient_sender")),
        }
        self.processes = {}

    async def __aenter__(self):
        await asyncio.gather(*map(self.start, self._made))
        return self

    async def __aexit__(self, *_):
        for process in self.processes.values():
            process.popen.kill()
            await asyncio.to_thread(process.end)

    async def start(self, name):
        arguments, module = self._made[name]
        process = Process(*arguments, module=module, **self._variables)
        self.processes[name] = process
        await asyncio.to_thread(process.until_ready)

    async def replace(self, name):
        await asyncio.to_thread(self.processes[name].stop, signal.SIGKILL)
        await self.start(name)

    @property
    def address(self):
        return self.processes["write-api"].ready.split()[-1]

    def fallen(self):
        return [name for name, each in self.processes.items() if each.popen.poll() is not None]


class Insisting(httpx.AsyncClient):
    """A merchant's backend: what fails is asked again under the same Idempotency-Key."""

    async def request(self, method, url, *, headers=None, **more):
        headers = {"Idempotency-Key": str(uuid4()), **(headers or {})}
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    answer = await super().request(method, url, headers=headers, **more)
                except httpx.TransportError:
                    continue
                if answer.status_code < 500:
                    return answer
                await asyncio.sleep(0.05)


def merchant(town, key):
    return Insisting(
        base_url=f"{town.address}/api/v1",
        headers={"Authorization": f"Bearer {key}"},
        timeout=60,
    )


def variables(url):
    return {
        "BILLSTREAM_DATABASE_URL": url,
        "BILLSTREAM_MASTER_KEY": base64.b64encode(MASTER_KEY).decode(),
        "BILLSTREAM_PORT": "0",
        "BILLSTREAM_PUBLIC_URL": PUBLIC_URL,
        "BILLSTREAM_PRIVATE_WEBHOOKS": "1",
        "PYTHONFAULTHANDLER": "1",
    }


@asynccontextmanager
async def explained(url, town, told):
    """Let whoever waits in vain say what is missing, and how all stand."""
    try:
        async with asyncio.timeout(ALTOGETHER):
            yield
    except TimeoutError as late:
        parts = [await told(), await asyncio.to_thread(standing, url)]
        for name, process in town.processes.items():
            parts.append(await asyncio.to_thread(last_words, name, process))
        raise AssertionError("\n".join(parts)) from late
