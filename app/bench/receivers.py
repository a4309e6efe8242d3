"""Receivers of webhooks in a process of their own: `python -m app.bench.receivers N`.

Serves N addresses that answer 200 and one more that accepts and never answers. Until it is told to
``answer`` on its standard input, all but that one ask to be left alone for an hour; ``report``
prints the arrivals since as JSON, ``{port: [[event id, Unix time], ...]}``, and forgets them.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, cast

import uvloop


OK = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
LATER = b"HTTP/1.1 503 Later\r\nRetry-After: 3600\r\nContent-Length: 0\r\n\r\n"


class Receivers:
    """The process, as the benchmark speaks to it."""

    def __init__(self, child: subprocess.Popen[str]) -> None:
        """Read the ports that it serves; the last never answers."""
        self._in = cast("IO[str]", child.stdin)
        self._out = cast("IO[str]", child.stdout)
        self.ports: list[int] = json.loads(self._out.readline())

    @property
    def living(self) -> list[str]:
        """The addresses that answer."""
        return [f"http://127.0.0.1:{port}/" for port in self.ports[:-1]]

    @property
    def dead(self) -> str:
        """The address that accepts and never answers."""
        return f"http://127.0.0.1:{self.ports[-1]}/"

    def answer(self) -> None:
        """From now on all is well."""
        self._ask("answer")

    def hold(self) -> None:
        """From now on all is put off."""
        self._ask("hold")

    def report(self) -> dict[str, list[tuple[str, float]]]:
        """What was answered 200 since the last report, by address."""
        found = self._ask("report")
        return {f"http://127.0.0.1:{port}/": arrivals for port, arrivals in found.items()}

    def _ask(self, word: str) -> dict[str, list[tuple[str, float]]]:
        self._in.write(f"{word}\n")
        self._in.flush()
        answered: dict[str, list[tuple[str, float]]] = json.loads(self._out.readline())
        return answered


@contextmanager
def receivers(number: int) -> Iterator[Receivers]:
    """So many that answer, and one that never does."""
    with subprocess.Popen(  # noqa: S603 our own module
        [sys.executable, "-m", "app.bench.receivers", str(number)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        try:
            yield Receivers(child)
        finally:
            child.kill()


class _Receiving:
    def __init__(self) -> None:
        self.reply = LATER
        self.arrivals: dict[int, list[tuple[str, float]]] = {}

    async def serve(self, *, answering: bool) -> int:
        """The port of a new server."""
        server = await asyncio.start_server(self._answer if answering else _never, "127.0.0.1", 0)
        port = int(server.sockets[0].getsockname()[1])
        self.arrivals[port] = []
        return port

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        port = int(writer.get_extra_info("sockname")[1])
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                at = time.time()
                fields = dict(
                    line.lower().split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line
                )
                await reader.readexactly(int(fields.get("content-length", 0)))
                if self.reply is OK:
                    self.arrivals[port].append((fields["webhook-id"], at))
                writer.write(self.reply)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    def heard(self, word: str) -> str:
        if word == "report":
            told = json.dumps(self.arrivals)
            self.arrivals = {port: [] for port in self.arrivals}
            return told
        self.reply = OK if word == "answer" else LATER
        return "{}"


async def _never(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Read for ever and say nothing."""
    while await reader.read(65536):
        continue
    writer.close()


async def _main(number: int) -> None:
    receiving = _Receiving()
    living = [await receiving.serve(answering=True) for _ in range(number)]
    sys.stdout.write(json.dumps([*living, await receiving.serve(answering=False)]) + "\n")
    sys.stdout.flush()
    words = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(words), sys.stdin
    )
    while line := await words.readline():
        sys.stdout.write(receiving.heard(line.decode().strip()) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    uvloop.run(_main(int(sys.argv[1])))
