"""Reading the log and replaying it into all views, over facts that real requests made."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator

import uvloop

from adapters.event_store import PostgresEventStore
from adapters.postgres_folder import Folder
from aggregates.catalog import FACTS, UPCASTS
from app.bench.http import CLIENTS, create_subscription, prepare_sales
from app.bench.load import drive
from app.bench.report import Row
from app.bench.servers import Served, up
from app.data_dir import DataDir
from app.garbage import look_rarely
from app.settings import Settings
from app.wiring import with_views
from projections.all_views import VIEWS
from replay.rebuild import rebuild


PAGE = 4_000
TARGET = 0.2


def measure(seconds: float) -> Iterator[Row]:
    """Make facts for some seconds, then read them, then rebuild every view from them."""
    with up() as served:
        prepare_sales(served)
        buyers = [f"buyer-{number}" for number in range(CLIENTS)]
        requests = [create_subscription(served, buyer) for buyer in buyers]
        drive(served.core, requests, clients=CLIENTS, seconds=seconds)
        look_rarely()
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            facts, read, rebuilt = runner.run(_replay(served))
    yield Row(name="read and decode the log", unit="facts/s", measured=read)
    yield Row(
        name="replay of all views",
        unit="facts/s",
        measured=rebuilt,
        reference_name="reading and decoding alone",
        reference=read,
        target=TARGET,
        more={"facts": facts},
    )


async def _replay(served: Served) -> tuple[int, float, float]:
    """How many facts there are, and how many of them per second are read, and replayed."""
    url = Folder(DataDir(served.data_dir).postgres).url("billstream_sandbox")
    master_key = DataDir(served.data_dir).master_key(Settings())
    store = await PostgresEventStore.open(url, FACTS, UPCASTS, master_key)
    began = time.perf_counter()
    facts = last = 0
    while page := await store.read(last, PAGE):
        facts, last = facts + len(page), page[-1].position
    read = time.perf_counter()
    await rebuild(with_views(url), store, VIEWS, None, lambda *_: None)
    rebuilt = time.perf_counter()
    await store.close()
    return facts, facts / (read - began), facts / (rebuilt - read)
