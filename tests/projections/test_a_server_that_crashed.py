"""A server that crashes may come back without the last rows of the views, never of the log."""

import asyncio
from contextlib import suppress

import psycopg
import pytest

from app.polling import Polling
from app.wiring import Engine, with_views
from projections.all_views import VIEWS
from tests.engines import place, running
from tests.webhooks.deliveries import until


pytestmark = [pytest.mark.postgres, pytest.mark.anyio]


def crashes_and_loses_all_rows(database_url):
    """The worst that a crash can do: nothing of the views was flushed, and all are thrown out."""
    names = ", ".join(table.name for view in VIEWS for table in view.tables)
    with psycopg.connect(with_views(database_url), autocommit=True) as db, db.transaction():
        db.execute("LOCK TABLE view_checkpoints")
        db.execute(f"TRUNCATE {names}, counters")
        db.execute("UPDATE view_checkpoints SET position = 0")
        db.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


async def test_what_it_lost_comes_back_while_nothing_else_happens(database_url):
    async with running(database_url, "views") as (engine, client):
        made = await client.post("/customers/", json={"customerId": "ada"})
        assert made.status_code == 201, made.text
        seen = {"Billstream-Position": made.headers["Billstream-Position"]}
        await asyncio.to_thread(crashes_and_loses_all_rows, database_url)
        await until(lambda: engine.positions.losses, 30)
        assert await engine.positions.wait(int(seen["Billstream-Position"]), 60)
        answer = await client.get("/customers/ada/", headers=seen)
        while answer.status_code == 503:
            answer = await client.get("/customers/ada/", headers=seen)
        assert answer.json()["customerId"] == "ada"


async def test_who_only_reads_does_not_believe_what_was_true_before_it(database_url):
    async with running(database_url, "views") as (engine, client):
        await client.post("/customers/", json={"customerId": "ada"})
        head = await engine.store.head()
    reading = await Engine.open(place(database_url))
    polling = Polling(reading.pool, reading.positions, database_url)
    task = asyncio.create_task(polling.run())
    try:
        assert await reading.positions.wait(head, 60)
        assert await reading.positions.wait(head, 0)
        await asyncio.to_thread(crashes_and_loses_all_rows, database_url)
        await until(lambda: reading.positions.losses, 30)
        assert not await reading.positions.wait(head, 0.1)
        async with running(database_url, "views"):
            assert await reading.positions.wait(head, 60)
    finally:
        polling.stop()
        with suppress(asyncio.CancelledError):
            await task
        await reading.close()
