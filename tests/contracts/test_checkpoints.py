"""One process reads at a time, and takes over where the other one got to."""

import asyncio
from datetime import UTC, datetime
from uuid import UUID, uuid4

import psycopg
import pytest

from adapters.checkpoints import LockLostError, PostgresCheckpoints
from adapters.event_store import PostgresEventStore
from aggregates.catalog import FACTS, UPCASTS
from aggregates.customer.events import CustomerArchived
from kernel.ports.event_store import Append, NewFact
from subscribers.runner import Reaction, Runner


pytestmark = pytest.mark.anyio
AT = datetime(2026, 1, 1, tzinfo=UTC)


async def test_a_second_process_waits_and_takes_over(database_url):
    first, second = PostgresCheckpoints(database_url), PostgresCheckpoints(database_url)
    assert await first.acquire("r") == 0
    assert await second.acquire("r") is None
    assert await second.acquire("other") == 0
    await first.save("r", 7)
    await first.save("r", 5)
    await first.release("r")
    assert await second.acquire("r") == 7
    with pytest.raises(LockLostError):
        await first.save("r", 8)
    await second.release("r")
    await second.release("other")


async def test_a_lost_session_loses_the_lock(database_url):
    checkpoints = PostgresCheckpoints(database_url)
    await checkpoints.acquire("r")
    with psycopg.connect(database_url, autocommit=True) as admin:
        admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    with pytest.raises(LockLostError):
        await checkpoints.save("r", 1)
    await checkpoints.release("r")


async def _append(store, owner):
    stream = uuid4()
    command = Append(
        organization=UUID(int=1),
        command_id=uuid4(),
        correlation_id=uuid4(),
        actor="test",
        facts=(NewFact(stream, 0, owner, CustomerArchived(occurred_at=AT)),),
    )
    return (await store.append(command)).last


async def _run_until(runner, condition):
    task = asyncio.create_task(runner.run())
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110 - the runner has no event for it
            await asyncio.sleep(0.005)
    runner.stop()
    await task


async def test_a_slow_owner_does_not_hold_up_others_and_nothing_is_skipped(database_url):
    store = await PostgresEventStore.open(database_url, FACTS, UPCASTS, bytes(32))
    slow, quick = uuid4(), uuid4()
    released = asyncio.Event()
    handled: list[tuple[UUID, int]] = []
    trouble = [RuntimeError("first"), RuntimeError("second")]

    async def handle(recorded):
        if recorded.owner == slow:
            await released.wait()
        elif trouble:
            raise trouble.pop()
        handled.append((recorded.owner, recorded.position))

    positions = [await _append(store, owner) for owner in (slow, quick, slow, quick)]
    reaction = Reaction("slow-and-quick", frozenset({CustomerArchived}), handle)
    checkpoints = PostgresCheckpoints(database_url)
    runner = Runner(reaction, store, checkpoints)

    def quick_done():
        if [owner for owner, _ in handled] == [quick, quick] and not released.is_set():
            assert runner.positions.position < positions[0]
            released.set()
        return len(handled) == 4 and runner.positions.position >= positions[-1]

    await _run_until(runner, quick_done)
    for owner in (slow, quick):
        seen = [position for who, position in handled if who == owner]
        assert seen == sorted(seen)
    assert await checkpoints.acquire("slow-and-quick") >= positions[-1]
    await checkpoints.release("slow-and-quick")
    await store.close()


async def test_what_was_in_flight_is_handled_again_after_a_kill(database_url):
    store = await PostgresEventStore.open(database_url, FACTS, UPCASTS, bytes(32))
    last = [await _append(store, uuid4()) for _ in range(3)][-1]
    started = asyncio.Event()

    async def hang(recorded):
        del recorded
        started.set()
        await asyncio.Event().wait()

    wants = frozenset({CustomerArchived})
    checkpoints = PostgresCheckpoints(database_url)
    killed = asyncio.create_task(Runner(Reaction("r", wants, hang), store, checkpoints).run())
    await started.wait()
    killed.cancel()
    await asyncio.gather(killed, return_exceptions=True)
    await checkpoints.release("r")
    seen = []

    async def handle(recorded):
        seen.append(recorded.position)

    runner = Runner(Reaction("r", wants, handle), store, checkpoints)
    await _run_until(runner, lambda: len(seen) == 3)
    assert max(seen) == last
    await store.close()


async def test_a_stop_does_not_let_an_owners_next_fact_overtake_one_that_fails(database_url):
    store = await PostgresEventStore.open(database_url, FACTS, UPCASTS, bytes(32))
    owner = uuid4()
    first = await _append(store, owner)
    await _append(store, owner)
    tried = []

    async def handle(recorded):
        tried.append(recorded.position)
        if recorded.position == first:
            raise RuntimeError("not today")

    reaction = Reaction("in-order", frozenset({CustomerArchived}), handle)
    checkpoints = PostgresCheckpoints(database_url)
    await _run_until(Runner(reaction, store, checkpoints), lambda: len(tried) > 1)
    assert set(tried) == {first}
    assert await checkpoints.acquire("in-order") < first
    await checkpoints.release("in-order")
    await store.close()
