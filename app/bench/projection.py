"""The log to all views in live batches, beside one view alone, over facts that requests made."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence

import uvloop
from psycopg import AsyncConnection
from psycopg.conninfo import make_conninfo

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
from projections import counters, engine
from projections.all_views import VIEWS
from projections.customers import view as customers
from projections.engine import Projector
from projections.positions import Positions
from projections.view import View


TARGET = 0.3
REFERENCE = "one view, batches of 1,000"


def measure(seconds: float) -> Iterator[Row]:
    """Make facts for some seconds, then project them in the batches of the live pass."""
    with up() as served:
        prepare_sales(served)
        buyers = [f"buyer-{number}" for number in range(CLIENTS)]
        requests = [create_subscription(served, buyer) for buyer in buyers]
        drive(served.core, requests, clients=CLIENTS, seconds=seconds)
        look_rarely()
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            alone = runner.run(_project(served, "bench_one", (customers,)))
            every = runner.run(_project(served, "bench_all", VIEWS))
    yield Row(
        name="log to all views, live",
        unit="facts/s",
        measured=every,
        reference_name=REFERENCE,
        reference=alone,
        target=TARGET,
    )


async def _project(served: Served, schema: str, views: Sequence[View]) -> float:
    """Facts per second, from an empty schema to the head of the log."""
    url = Folder(DataDir(served.data_dir).postgres).url("billstream_sandbox")
    store = await PostgresEventStore.open(
        url, FACTS, UPCASTS, DataDir(served.data_dir).master_key(Settings())
    )
    own = make_conninfo(url, options=f"-csearch_path={schema},public")
    tables = [table for view in views for table in view.tables]
    async with await AsyncConnection.connect(own, autocommit=True) as db:
        await db.execute(f"CREATE SCHEMA {schema}")
        for statement in (engine.CHECKPOINTS_DDL, counters.DDL, *engine.ddl(tables)):
            await db.execute(statement)
        await db.execute("SET synchronous_commit TO off")
        projector = Projector(own, store, views, Positions())
        facts, began = 0, time.perf_counter()
        while projected := await projector.step(db):
            facts += projected
        took = time.perf_counter() - began
    await store.close()
    return facts / took
