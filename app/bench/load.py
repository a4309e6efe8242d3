"""Load over real sockets, from a process of its own: `python -m app.bench.load` with a JSON job.

A job is ``{address, clients, seconds, requests, rate}``; a rate is requests per second, all clients
together, None as fast as they are answered. In the path, headers and body of a request
``{unique}`` becomes another text every time. Prints what it saw as JSON.
"""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import count, cycle
from typing import Any

import uvloop


WARM_UP_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Request:
    """One request; ``{unique}`` in path, headers and body is replaced each time it is sent."""

    method: str
    path: str
    headers: dict[str, str]
    body: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """Requests per second, latencies in milliseconds, and how many answers were not 2xx."""

    rate: float
    p50_ms: float
    p99_ms: float
    refused: int

    @property
    def more(self) -> dict[str, float]:
        """The latencies, for a report."""
        return {"p50 ms": self.p50_ms, "p99 ms": self.p99_ms}


def drive(
    address: str,
    requests: Sequence[Request],
    *,
    clients: int,
    seconds: float,
    rate: float | None = None,
) -> Seen:
    """Send the requests in turn from some clients for some seconds, after a warm-up.

    Raises RuntimeError when any was refused: a figure of refusals would say nothing.
    """
    job = {
        "address": address,
        "clients": clients,
        "seconds": seconds,
        "requests": [asdict(request) for request in requests],
        "rate": rate,
    }
    found = subprocess.run(
        [sys.executable, "-m", "app.bench.load"],
        input=json.dumps(job),
        capture_output=True,
        text=True,
        check=True,
    )
    seen = Seen(**json.loads(found.stdout))
    if seen.refused:
        raise RuntimeError(f"{seen.refused} requests like {requests[0]} were refused")
    return seen


def _rendered(request: dict[str, Any], host: str, run: str) -> Iterator[bytes]:
    """The bytes of a request, for ever."""
    headers = {"Host": host, **request["headers"]}
    for number in count():
        unique = f"{run}{number}"
        body = request["body"].replace("{unique}", unique).encode()
        lines = [f"{request['method']} {request['path'].replace('{unique}', unique)} HTTP/1.1"]
        lines += [f"{name}: {value.replace('{unique}', unique)}" for name, value in headers.items()]
        if body:
            lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        yield "\r\n".join([*lines, "", ""]).encode() + body


async def _client(job: dict[str, Any], name: str, latencies: list[float], end: float) -> int:
    host, port = job["address"].removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    streams = cycle([_rendered(request, host, name) for request in job["requests"]])
    refused = 0
    pause = job["clients"] / job["rate"] if job["rate"] else 0.0
    turn = time.perf_counter() + pause * random.random()  # noqa: S311 no two at once
    while (begun := time.perf_counter()) < end:
        if pause and turn > begun:
            await asyncio.sleep(turn - begun)
            begun = time.perf_counter()
        turn += pause
        writer.write(next(next(streams)))
        head = await reader.readuntil(b"\r\n\r\n")
        length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
        await reader.readexactly(int(length or 0))
        latencies.append(time.perf_counter() - begun)
        refused += not head.startswith(b"HTTP/1.1 2")
    writer.close()
    return refused


async def _phase(job: dict[str, Any], name: str, seconds: float) -> Seen:
    latencies: list[float] = []
    begun = time.perf_counter()
    clients = (
        _client(job, f"{name}{number}-", latencies, begun + seconds)
        for number in range(job["clients"])
    )
    refused = sum(await asyncio.gather(*clients))
    took = time.perf_counter() - begun
    latencies.sort()
    middle, last = len(latencies) // 2, int(len(latencies) * 0.99)
    return Seen(len(latencies) / took, latencies[middle] * 1e3, latencies[last] * 1e3, refused)


async def _run(job: dict[str, Any]) -> Seen:
    run = f"{time.time_ns():x}"
    await _phase(job, f"{run}w", WARM_UP_SECONDS)
    return await _phase(job, f"{run}m", job["seconds"])


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asdict(uvloop.run(_run(json.load(sys.stdin))))))
