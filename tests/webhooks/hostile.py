"""Receivers as merchants run them: most are well, the others fail in every way there is."""

import asyncio
import json
import ssl
from contextlib import AsyncExitStack

from tests.adapters.certificates import certificate
from tests.adapters.receiver import Receiver, answer


BREATH = b" " * 65_536
TEN_GB = 10 * 1024**3


async def hangs(_request, _writer):
    await asyncio.Event().wait()


async def resets(_request, writer):
    writer.transport.abort()


async def drips(_request, writer):
    for piece in (b"HTTP/1.1 2", b"00 OK\r\nContent-Le", b"ngth: 0\r\n", b"\r\n"):
        writer.write(piece)
        await writer.drain()
        await asyncio.sleep(0.05)


async def never_ends(_request, writer):
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % TEN_GB)
    for _ in range(TEN_GB // len(BREATH)):
        writer.write(BREATH)
        await writer.drain()


def flaps(every=5):
    """Refuses each event whose turn it is, once."""
    seen = set()

    async def script(request, writer):
        event = json.loads(request.body)["id"]
        known = event in seen
        seen.add(event)
        bad = not known and len(seen) % every == 0
        await answer(500 if bad else 200)(request, writer)

    return script


WELL = ("one", "two", "three", "drips", "flaps", "never ends")
"""Every event comes through at these."""


class Neighbours:
    """Ten endpoints on loopback by name, all listening until the end of the block."""

    def __init__(self, folder):
        moved = answer(302, headers=["Location: http://127.0.0.1:9/"])
        tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        tls.load_cert_chain(*certificate(folder))
        self.receivers = {
            **{name: Receiver() for name in WELL[:3]},
            "drips": Receiver(drips),
            "flaps": Receiver(flaps()),
            "never ends": Receiver(never_ends),
            "hangs": Receiver(hangs),
            "resets": Receiver(resets),
            "redirects": Receiver(moved),
            "bad certificate": Receiver(tls=tls),
        }
        self._stack = AsyncExitStack()
        self._heard = {name: {} for name in self.receivers}
        self._read = dict.fromkeys(self.receivers, 0)

    async def __aenter__(self):
        for receiver in self.receivers.values():
            await self._stack.enter_async_context(receiver)
        return self

    async def __aexit__(self, *_):
        await self._stack.aclose()

    def heard(self, name):
        """The events in the order in which they came first, repetitions with other bytes fail."""
        first, requests = self._heard[name], self.receivers[name].requests
        for request in requests[self._read[name] :]:
            event = json.loads(request.body)["id"]
            assert request.headers["webhook-id"] == event
            assert first.setdefault(event, request.body) == request.body, event
        self._read[name] = len(requests)
        return first
