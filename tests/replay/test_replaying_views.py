"""Views can be thrown away: what is built anew from the log is the same, row by row."""

import asyncio
import os
import signal
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import psycopg
import pytest
from psycopg import AsyncConnection

from app.wiring import Engine, prepare, with_views
from kernel.tenant import Environment
from projections.all_views import VIEWS
from replay.fold import Folding
from replay.live import live
from replay.rebuild import SHADOW, ReplayRunning, UnknownView, lock, rebuild
from replay.shadow import Shadow
from replay.verify import verify
from tests.billing_facts import Histories, a_whole_life
from tests.engines import found, place, running


pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[2]
TABLES = [table.name for view in VIEWS for table in view.tables]


def lives(*names):
    histories = Histories()
    for name in names:
        a_whole_life(histories, name)
    return histories


def silent(position, target):
    assert position <= target


async def caught_up(engine):
    assert await engine.positions.wait(await engine.store.head(), 60)


def snapshot(url):
    """Every row of every view."""
    with psycopg.connect(with_views(url)) as db:
        rows = {name: db.execute(f"select * from {name} order by id").fetchall() for name in TABLES}
        counters = "select * from counters where n <> 0 order by 1, 2, 3, 4"
        return rows | {"counters": db.execute(counters).fetchall()}


def execute(url, statement):
    with psycopg.connect(with_views(url), autocommit=True) as db:
        db.execute(statement)


@pytest.fixture
def replay(database_url):
    """Rebuild or verify beside a running engine."""

    async def run(what, engine, view=None, views=VIEWS):
        return await what(with_views(database_url), engine.store, views, view, silent)

    return run


async def test_a_rebuild_gives_the_same_rows(database_url, replay):
    async with running(database_url, "views") as (engine, _):
        await lives("ann", "bob").append_to(engine.store)
        await caught_up(engine)
        before = snapshot(database_url)
        rebuilt = await replay(rebuild, engine)
        assert len(before["subscriptions"]) == 4
        assert rebuilt.position == before_position(database_url)
    assert snapshot(database_url) == before


@asynccontextmanager
async def running_without_workers(url):
    engine = await Engine.open(place(url))
    try:
        yield engine
    finally:
        await engine.close()


def before_position(url):
    with psycopg.connect(with_views(url)) as db:
        return db.execute("select position from view_checkpoints").fetchone()[0]


async def test_views_that_were_dropped_come_back_the_same(database_url, replay):
    async with running(database_url, "views") as (engine, _):
        await lives("ann", "bob").append_to(engine.store)
        await caught_up(engine)
    before = snapshot(database_url)
    execute(database_url, "drop schema views cascade")
    prepare(database_url, Environment.SANDBOX)
    assert snapshot(database_url) != before
    async with running_without_workers(database_url) as engine:
        await replay(rebuild, engine)
    assert snapshot(database_url) == before


async def test_the_running_pass_goes_on_after_a_swap(database_url, replay):
    async with running(database_url, "views") as (engine, client):
        await lives("ann").append_to(engine.store)
        await caught_up(engine)
        await replay(rebuild, engine)
        answer = await client.post("/customers/", json={"customerId": "late"})
        assert answer.status_code in (200, 201)
        assert (await client.get("/customers/late/")).status_code == 200
        assert (await replay(verify, engine)).differing == 0


async def test_writes_and_reads_go_on_during_rebuilds(database_url, replay):
    async with running(database_url, "views") as (engine, client):
        await lives("ann").append_to(engine.store)
        await caught_up(engine)

        async def write(i):
            created = await client.post("/customers/", json={"customerId": f"c{i}"})
            seen = await client.get(f"/customers/c{i}/")
            return created.status_code, seen.status_code

        stop = asyncio.Event()

        async def keep_writing():
            answers = []
            while not stop.is_set():
                answers.append(await write(len(answers)))
            return answers

        writing = asyncio.create_task(keep_writing())
        for view in (None, "customers", None):
            await replay(rebuild, engine, view)
        stop.set()
        answers = await writing
        assert {seen for _, seen in answers} == {200}
        await caught_up(engine)
        found_rows = snapshot(database_url)["customers"]
        assert len(found_rows) == len(answers) + 1
        assert (await replay(verify, engine)).differing == 0


async def test_one_view_can_be_rebuilt_alone(database_url, replay):
    async with running(database_url, "views") as (engine, _):
        await lives("ann").append_to(engine.store)
        await caught_up(engine)
        before = snapshot(database_url)
        execute(database_url, "delete from invoices")
        execute(database_url, "update customers set doc = 'damaged', body = 'damaged'")
        await replay(rebuild, engine, "invoices")
        after = snapshot(database_url)
        assert after["invoices"] == before["invoices"]
        assert after["counters"] == before["counters"]
        assert after["customers"] != before["customers"]


async def test_an_unknown_view_is_refused(database_url, replay):
    async with running_without_workers(database_url) as engine:
        with pytest.raises(UnknownView, match="invoices"):
            await replay(rebuild, engine, "nothing")


async def test_verify_finds_nothing_when_nothing_is_wrong(database_url, replay):
    async with running(database_url, "views") as (engine, _):
        await lives("ann").append_to(engine.store)
        await caught_up(engine)
        verified = await replay(verify, engine)
        assert verified.differing == 0
        assert verified.rows == sum(len(snapshot(database_url)[name]) for name in TABLES)


TWICE = (
    "insert into customers"
    " select gen_random_uuid(), organization, created, {columns} from customers"
)


@pytest.mark.parametrize(
    ("damage", "table", "what"),
    [
        ("delete from customers", "customers", "is missing"),
        (TWICE, "customers", "is not in the log"),
        ("update invoices set doc = convert_to('{{}}', 'utf8')", "invoices", "doc."),
        ("update counters set n = n + 1", "counters", "should be"),
    ],
)
async def test_verify_tells_each_kind_of_damage(database_url, replay, damage, table, what):
    fields = next(t.fields for v in VIEWS for t in v.tables if t.name == "customers")
    columns = ", ".join(name for name, _ in fields[3:])
    async with running(database_url, "views") as (engine, _):
        await lives("ann").append_to(engine.store)
        await caught_up(engine)
        execute(database_url, damage.format(columns=columns))
        verified = await replay(verify, engine)
    assert verified.differing > 0
    assert any(d.table == table and what in d.what for d in verified.first)


async def test_only_one_replay_runs_at_a_time(database_url, replay):
    async with (
        running_without_workers(database_url) as engine,
        await AsyncConnection.connect(database_url, autocommit=True) as other,
    ):
        await lock(other)
        with pytest.raises(ReplayRunning):
            await replay(rebuild, engine)


async def test_a_rebuild_announces_nothing_again(database_url, replay):
    async with running(database_url, "views") as (engine, client):
        endpoint = {"url": "http://127.0.0.1:9/hook", "events": ["*"]}
        assert (await client.post("/webhook/endpoints/", json=endpoint)).status_code == 201
        await client.post("/customers/", json={"customerId": "early"})
        await caught_up(engine)
        assert await count(engine, "webhooks.events") == 1
        await replay(rebuild, engine)
        assert await count(engine, "webhooks.events") == 1
        await client.post("/customers/", json={"customerId": "late"})
        await caught_up(engine)
        assert await count(engine, "webhooks.events") == 2


async def count(engine, table):
    async with engine.pool.connection() as db:
        rows = await db.execute(f"select count(*) from {table}")
        return (await rows.fetchone())[0]


async def test_a_stretch_that_was_saved_is_not_folded_again(database_url, replay):
    """What a killed run leaves: rows and position of whole stretches, nothing in between."""
    async with running(database_url, "views") as (engine, _):
        await lives("ann", "bob").append_to(engine.store)
        await caught_up(engine)
        before = snapshot(database_url)
        half = before_position(database_url) // 2
        async with await AsyncConnection.connect(with_views(database_url), autocommit=True) as db:
            shadow = await Shadow.open(db, SHADOW, VIEWS)
            await Folding(engine.store, shadow, VIEWS).up_to(half, silent)
        rebuilt = await replay(rebuild, engine)
        assert rebuilt.resumed
    assert snapshot(database_url) == before


async def test_a_killed_rebuild_leaves_the_running_views_alone(database_url, replay):
    async with running(database_url, "views") as (engine, _):
        await lives(*(f"c{i}" for i in range(20))).append_to(engine.store)
        await caught_up(engine)
        before = snapshot(database_url)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.replay.rebuild_until_killed", database_url),
            cwd=ROOT,
            stdout=asyncio.subprocess.PIPE,
        )
        assert await process.stdout.readline() == b"saved\n"
        os.kill(process.pid, signal.SIGKILL)
        await process.wait()
        assert snapshot(database_url) == before
        rebuilt = await replay(rebuild, engine)
        assert rebuilt.resumed
        assert snapshot(database_url) == before


async def test_the_views_are_never_ahead_of_what_was_announced(database_url, replay):
    """Facts that the pass has not seen are left to it: it alone makes their webhook events."""
    async with running_without_workers(database_url) as engine:
        await found(engine)
        await lives("ann").append_to(engine.store)
        await replay(rebuild, engine)
        async with engine.pool.connection() as db:
            assert (await live(db)).position == 0
