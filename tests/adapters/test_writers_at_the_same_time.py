"""Many writers, processes that die, connections that break: nothing is lost, doubled or halved."""

import asyncio
import os
import signal
import sys
from collections import Counter
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from adapters.append_call import APPEND
from adapters.batch import arguments
from adapters.listener import Listener
from adapters.migrations import migrate
from kernel.errors import Unavailable
from kernel.ports.event_store import VersionConflict
from kernel.tenant import Environment
from tests.log_facts import ALICE, Named, Ticked, command, named, new, stream, ticked


pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[2]


async def start_writer(url, writers, commands):
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.adapters.log_writer", url, str(writers), str(commands)),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )


def confirmed(output):
    """Command id and number of facts of each whole line."""
    lines = output.decode().split("\n")[:-1]
    return {words[0]: int(words[1]) for words in map(str.split, lines)}


async def test_a_reader_of_the_tail_never_misses_a_fact(postgres_store, database_url):
    writers = [await start_writer(database_url, 16, 60) for _ in range(2)]
    outputs = asyncio.gather(*(writer.communicate() for writer in writers))
    seen, last = [], 0
    while not outputs.done():
        page = await postgres_store.read(last, 50)
        seen += page
        last = page[-1].position if page else last
        await asyncio.sleep(0)
    seen += await postgres_store.read(last, 10_000)
    told = Counter(str(fact.command_id) for fact in seen)
    sent = {}
    for output, _ in await outputs:
        sent |= confirmed(output)
    assert len(sent) == 2 * 16 * 60
    assert told == sent
    times = [fact.recorded_at for fact in seen]
    assert times == sorted(times)


async def test_what_a_killed_writer_had_confirmed_is_there_and_nothing_is_half(
    postgres_store, database_url
):
    writer = await start_writer(database_url, 16, 10_000)
    first = [await writer.stdout.readline() for _ in range(300)]
    os.kill(writer.pid, signal.SIGKILL)
    sent = confirmed(b"".join(first) + (await writer.communicate())[0])
    receipt = await postgres_store.append(command(*new(ALICE, 0)))
    facts = await postgres_store.read(0, receipt.last)
    told = Counter(str(fact.command_id) for fact in facts)
    assert sent.items() <= told.items()
    for fact in facts[:-1]:
        whole = 1 + fact.fact.number % 2
        assert told[str(fact.command_id)] == whole


async def test_an_append_survives_the_loss_of_its_connection(postgres_store, database_url):
    sent = [command(*new(stream(f"s{i}"), 0, ticked(1), ticked(2))) for i in range(400)]

    async def trickle(one):
        receipt = await postgres_store.append(one)
        return one, receipt

    async def cut():
        async with await psycopg.AsyncConnection.connect(database_url, autocommit=True) as db:
            for _ in range(5):
                await db.execute(
                    "select pg_terminate_backend(pid) from pg_stat_activity"
                    " where datname = current_database() and query like '%append_commands%'"
                    " and pid <> pg_backend_pid()"
                )
                await asyncio.sleep(0.02)

    cutting = asyncio.create_task(cut())
    for start in range(0, 400, 20):
        for one, receipt in await asyncio.gather(*map(trickle, sent[start : start + 20])):
            facts = await postgres_store.command_facts(one.command_id)
            assert [f.position for f in facts] == [receipt.first, receipt.last]
            assert facts[0].recorded_at == receipt.recorded_at
    await cutting
    assert len(await postgres_store.read(0, 10_000)) == 800


async def test_an_append_whose_answer_got_lost_is_found_again(postgres_store, monkeypatch):
    appender = postgres_store._appender
    call, calls = appender._call, []

    async def lose_the_answer(batch):
        calls.append(batch)
        answers = await call(batch)
        if len(calls) == 1:
            raise psycopg.OperationalError("server closed the connection unexpectedly")
        return answers

    monkeypatch.setattr(appender, "_call", lose_the_answer)
    sent = [
        command(*new(ALICE, 0, named("Ada"), owner=ALICE)),
        command(claims=(stream("claim"),)),
    ]
    first, second = await asyncio.gather(*map(postgres_store.append, sent))
    assert (first.first, first.last) == (1, 1)
    assert second.first > second.last
    assert len(calls) == 1
    assert (await postgres_store.load(ALICE)).facts == (named("Ada"),)


async def test_a_conflict_stays_one_after_a_lost_connection(postgres_store, monkeypatch):
    await postgres_store.append(command(*new(ALICE, 0)))
    appender = postgres_store._appender
    call, calls = appender._call, []

    async def lose_the_question(batch):
        calls.append(batch)
        if len(calls) == 1:
            raise psycopg.OperationalError("server closed the connection unexpectedly")
        return await call(batch)

    monkeypatch.setattr(appender, "_call", lose_the_question)
    with pytest.raises(VersionConflict):
        await postgres_store.append(command(*new(ALICE, 0)))


async def test_a_database_that_stays_away_is_unavailable(postgres_store, monkeypatch):
    async def refuse(*_, **__):
        raise psycopg.OperationalError("connection refused")

    monkeypatch.setattr("adapters.appender.AsyncConnection.connect", refuse)
    monkeypatch.setattr("adapters.appender.RECONNECT_SECONDS", 0.001)
    with pytest.raises(Unavailable):
        await postgres_store.append(command(*new(ALICE, 0)))


async def test_a_command_that_cannot_be_stored_fails_alone(postgres_store):
    sent = [command(*new(stream(f"s{i}"), 0, ticked(i))) for i in range(10)]
    sent[4] = command(*new(stream("s4"), 0), actor="no \x00 in PostgreSQL")
    answers = await asyncio.gather(*map(postgres_store.append, sent), return_exceptions=True)
    assert isinstance(answers.pop(4), psycopg.DataError)
    assert all(not isinstance(answer, BaseException) for answer in answers)
    assert len(await postgres_store.read(0, 100)) == 9


async def test_a_caller_that_goes_away_does_not_stop_the_others(postgres_store):
    sent = [command(*new(stream(f"s{i}"), 0)) for i in range(10)]
    tasks = [asyncio.create_task(postgres_store.append(one)) for one in sent]
    await asyncio.sleep(0)
    tasks[3].cancel()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(answers.pop(3), asyncio.CancelledError)
    assert all(not isinstance(answer, BaseException) for answer in answers)


async def test_a_stalled_writer_is_cut_off_and_tells_so(postgres_store, database_url, monkeypatch):
    await postgres_store.append(command(*new(ALICE, 0)))
    await postgres_store._appender._db.execute("set statement_timeout = 50")
    async with await psycopg.AsyncConnection.connect(database_url) as holder:
        await holder.execute("select pg_advisory_xact_lock(27700462114074471)")
        with pytest.raises(Unavailable):
            await postgres_store.append(command(*new(ALICE, 1)))
        await holder.rollback()
    await postgres_store.append(command(*new(ALICE, 1)))


async def test_this_process_is_told_at_once_and_others_soon(postgres_store, database_url):
    heard = []
    postgres_store.on_append(heard.append)
    async with await psycopg.AsyncConnection.connect(database_url, autocommit=True) as other:
        await other.execute("listen billstream_log")
        receipt = await postgres_store.append(command(*new(ALICE, 0)))
        assert heard == [receipt.last]
        [note] = [n async for n in other.notifies(timeout=60, stop_after=1)]
        assert note.payload == str(receipt.last)


async def test_who_wants_some_facts_is_not_woken_by_others(postgres_store):
    heard = {kind: [] for kind in (Ticked, Named)}
    for kind, positions in heard.items():
        postgres_store.on_append(positions.append, frozenset({kind}))
    receipt = await postgres_store.append(command(*new(ALICE, 0, named("Ada"), owner=ALICE)))
    assert heard == {Ticked: [], Named: [receipt.last]}


async def test_a_process_does_not_hear_itself(postgres_store, database_url):
    woken = asyncio.Queue()
    wake = [lambda: woken.put_nowait(True)]
    listener = Listener(database_url, wake, lambda: postgres_store.told_by)
    listening = asyncio.create_task(listener.run())
    await woken.get()  # whatever was said before it listened
    await postgres_store.append(command(*new(ALICE, 0)))
    await asyncio.wait([postgres_store._notifier._running])
    async with await psycopg.AsyncConnection.connect(database_url, autocommit=True) as other:
        await other.execute("select pg_notify('billstream_log', '7')")
    await woken.get()
    assert woken.empty()
    listener.stop()
    await listening


async def test_the_log_refuses_to_be_changed(postgres_store, database_url):
    await postgres_store.append(command(*new(ALICE, 0)))
    with psycopg.connect(database_url, autocommit=True) as db:
        for change in ("update events set actor = 'me'", "delete from events"):
            with pytest.raises(psycopg.errors.RaiseException, match="append-only"):
                db.execute(change)


async def test_processes_that_start_together_make_the_tables_once(empty_database_url):
    await asyncio.gather(
        *(
            asyncio.to_thread(migrate, empty_database_url, Environment.SANDBOX, ["select 1"])
            for _ in range(4)
        )
    )
    with psycopg.connect(empty_database_url) as db:
        assert db.execute("select count(*) from events").fetchall() == [(0,)]


async def test_an_append_updates_no_row(postgres_store, database_url):
    """A row that each append updates would make appends slower while a backup runs (ADR 15)."""
    packed = await postgres_store._pack(command(*new(ALICE, 0, named("Ada"), owner=ALICE)))
    with psycopg.connect(database_url) as db:
        db.execute(APPEND, arguments([packed]))
        [(inserted, updated)] = db.execute(
            "select sum(n_tup_ins), sum(n_tup_upd) from pg_stat_xact_user_tables"
        ).fetchall()
    assert (inserted, updated) == (2, 0)


async def test_a_server_with_another_isolation_by_default_changes_nothing(
    database_url, postgres_store, second_store
):
    """What was committed while a batch waited for the lock must be seen behind it."""
    with psycopg.connect(database_url, autocommit=True) as db:
        name = sql.Identifier(db.info.dbname)
        isolation = sql.SQL(
            "alter database {} set default_transaction_isolation = 'repeatable read'"
        )
        db.execute(isolation.format(name))
    stores = (postgres_store, second_store)
    sent = [
        stores[i % 2].append(command(*new(stream(f"{i}-{n}"), 0)))
        for n in range(200)
        for i in range(10)
    ]
    receipts = await asyncio.gather(*sent)
    assert len({receipt.first for receipt in receipts}) == len(sent)
