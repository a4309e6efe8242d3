"""A real HTTP receiver on loopback whose answers a test decides byte by byte."""

import asyncio
import contextlib
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field


@dataclass
class Request:
    line: str
    headers: dict[str, str]
    body: bytes


Script = Callable[[Request, asyncio.StreamWriter], Awaitable[None]]


def answer(status=200, body=b"", headers=()):
    """Answer every request with this."""
    lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(body)}", *headers, "", ""]
    message = "\r\n".join(lines).encode() + body

    async def script(_request, writer):
        writer.write(message)
        await writer.drain()

    return script


@dataclass
class Receiver:
    """Takes requests, notes them, and lets its script answer."""

    script: Script = field(default_factory=answer)
    requests: list[Request] = field(default_factory=list)
    connections: int = 0
    server: asyncio.Server | None = None
    tls: ssl.SSLContext | None = None
    tasks: set = field(default_factory=set)

    @property
    def port(self) -> int:
        return self.server.sockets[0].getsockname()[1]

    @property
    def url(self) -> str:
        scheme = "http" if self.tls is None else "https"
        return f"{scheme}://127.0.0.1:{self.port}/hook"

    async def __aenter__(self):
        self.server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self.tls)
        return self

    async def __aexit__(self, *_):
        await self.stop()

    async def stop(self):
        """Hear no more, and drop everybody who is connected."""
        self.server.close()
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def _serve(self, reader, writer):
        self.connections += 1
        self.tasks.add(asyncio.current_task())
        try:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
                while not writer.is_closing():
                    request = await _read(reader)
                    self.requests.append(request)
                    await self.script(request, writer)
        finally:
            self.tasks.discard(asyncio.current_task())
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()


async def _read(reader) -> Request:
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    line, *rest = head.split("\r\n")
    headers = {k.lower(): v for k, v in (h.split(": ", 1) for h in rest if h)}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Request(line, headers, body)
