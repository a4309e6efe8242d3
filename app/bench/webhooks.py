"""Webhooks: how soon the first attempt comes, and what one dead endpoint costs nine others."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from uuid import UUID

import psycopg
import uvloop

from adapters.outgoing.http import GuardedHttp
from adapters.postgres_folder import Folder
from app.bench.http import BODY, call
from app.bench.load import WARM_UP_SECONDS, Request, drive
from app.bench.receivers import Receivers, receivers
from app.bench.report import Row
from app.bench.servers import Served, up
from app.data_dir import DataDir
from subscribers.deliver_webhooks import PER_ENDPOINT


LIVING = 9
FACTS_PER_SECOND = 500
P99_MS = 300
EVENTS_PER_SECOND = 100
"""How many events are made to wait per second that the benchmark may take."""

ENDPOINTS = "/webhook/endpoints/"
SETTLED_SECONDS = 60.0
LOOK_SECONDS = 0.05


def measure(seconds: float) -> Iterator[Row]:
    """The first attempt under load; then a backlog, without and with a dead endpoint."""
    with receivers(1) as there, up() as served:
        yield _first_attempt(served, there, seconds)
    events = int(EVENTS_PER_SECOND * seconds)
    with receivers(LIVING) as there, up() as served:
        alone = _backlog(served, there, events, dead=False)
    with receivers(LIVING) as there, up() as served:
        beside = _backlog(served, there, events, dead=True)
        bare = uvloop.run(_client_alone(there, events))
    yield Row(
        name="webhook deliveries, one of ten endpoints dead",
        unit="deliveries/s",
        measured=beside,
        reference_name="the HTTP client alone",
        reference=bare,
        target=0.6,
        more={"without the dead one /s": alone, "with/without": beside / alone},
    )


def _first_attempt(served: Served, there: Receivers, seconds: float) -> Row:
    there.answer()
    _subscribe(served, there.living)
    create = Request("POST", "/api/v1/customers/", served.headers, BODY)
    drive(served.core, [create], clients=32, seconds=seconds, rate=FACTS_PER_SECOND)
    recorded = _recorded(served)
    arrived: dict[str, float] = {}
    deadline = time.monotonic() + SETTLED_SECONDS
    while len(arrived) < len(recorded) and time.monotonic() < deadline:
        arrived |= dict(there.report()[there.living[0]])
        time.sleep(LOOK_SECONDS)
    if len(arrived) < len(recorded):
        raise RuntimeError(f"{len(recorded) - len(arrived)} events did not arrive")
    waits = sorted(arrived[event] - at for event, at in recorded.items())
    p50, p99 = (waits[int(len(waits) * share)] * 1e3 for share in (0.5, 0.99))
    return Row(
        name=f"fact to first webhook attempt at {FACTS_PER_SECOND} facts/s",
        unit="facts/s",
        measured=len(waits) / (seconds + WARM_UP_SECONDS),
        more={"p50 ms": p50, "p99 ms": p99, "p99 target": P99_MS},
    )


def _backlog(served: Served, there: Receivers, events: int, *, dead: bool) -> float:
    """Deliveries per second to those that answer, of what has gathered for them."""
    there.hold()
    urls = [*there.living, there.dead] if dead else there.living
    endpoints = _subscribe(served, urls)
    for number in range(events):
        call(served, "/customers/", {"customerId": f"c-{number}", "name": "Ada"})
    there.answer()
    there.report()
    began = time.time()
    for endpoint in endpoints[:LIVING]:
        for enabled in (False, True):  # what waited is then due at once
            call(served, f"{ENDPOINTS}{endpoint}/", {"enabled": enabled}, method="PATCH")
    arrived: list[float] = []
    deadline = time.monotonic() + SETTLED_SECONDS
    while len(arrived) < LIVING * events and time.monotonic() < deadline:
        arrived += [at for each in there.report().values() for _, at in each]
        time.sleep(LOOK_SECONDS)
    if len(arrived) < LIVING * events:
        raise RuntimeError(f"{len(arrived)} of {LIVING * events} deliveries arrived")
    return len(arrived) / (max(arrived) - began)


async def _client_alone(there: Receivers, events: int) -> float:
    """Requests per second of the same client to the same receivers, with nothing around it."""
    outgoing = GuardedHttp(allow_private=True)
    body = b"x" * 700
    headers = {"Content-Type": "application/json", "webhook-id": "bench"}

    async def send(url: str) -> None:
        for _ in range(events // PER_ENDPOINT):
            await outgoing.post(url, body, headers)

    began = time.perf_counter()
    await asyncio.gather(*(send(url) for url in there.living for _ in range(PER_ENDPOINT)))
    took = time.perf_counter() - began
    await outgoing.close()
    return LIVING * PER_ENDPOINT * (events // PER_ENDPOINT) / took


def _subscribe(served: Served, urls: Sequence[str]) -> list[str]:
    wanted = ({"url": url, "events": ["customer.created"]} for url in urls)
    return [call(served, ENDPOINTS, body)["id"] for body in wanted]


def _recorded(served: Served) -> dict[str, float]:
    """When the fact behind each event was recorded, Unix time."""
    url = Folder(DataDir(served.data_dir).postgres).url("billstream_sandbox")
    query = (
        "select w.id, extract(epoch from e.recorded_at)"
        " from webhooks.events w join events e using (position)"
    )
    with psycopg.connect(url) as db:
        found: list[tuple[UUID, float]] = db.execute(query).fetchall()
    return {str(event): float(at) for event, at in found}
