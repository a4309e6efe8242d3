"""The `eventsourcing` library on the log: its Application, mapper, upcasts and notification log."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from eventsourcing.persistence import IntegrityError, OperationalError

from adapters.fact_application import FactApplication, FactEvent, settings
from kernel.ports.event_store import VersionConflict
from tests.log_facts import (
    ALICE,
    BOB,
    FACTS,
    MASTER_KEY,
    ORGANIZATION,
    UPCASTS,
    command,
    named,
    new,
    stream,
    ticked,
)


pytestmark = pytest.mark.anyio


@pytest.fixture
def application(database_url):
    with FactApplication(database_url, FACTS, UPCASTS, MASTER_KEY) as opened:
        yield opened


def folded(initial, events):
    """The facts of a stream, as the repository's projector."""
    facts = [event.fact for event in events]
    return facts or initial


async def test_what_is_saved_is_a_fact_of_the_log(application, postgres_store):
    fact = named("Ada")
    application.save(
        FactEvent(ALICE, 1, fact), organization=ORGANIZATION, owner=ALICE, actor="worker:x"
    )
    [recorded] = await postgres_store.read(0, 10)
    assert recorded.fact == fact
    assert (recorded.organization, recorded.owner, recorded.actor) == (
        ORGANIZATION,
        ALICE,
        "worker:x",
    )


async def test_the_repository_folds_what_the_async_store_appended(application, postgres_store):
    await postgres_store.append(command(*new(ALICE, 0, named("Ada"), ticked(2), owner=ALICE)))
    facts = application.repository.get(ALICE, projector_func=folded)
    assert facts == [named("Ada"), ticked(2)]


async def test_a_version_conflict_is_an_integrity_error_and_saves_nothing(
    application, postgres_store
):
    await postgres_store.append(command(*new(ALICE, 0)))
    with pytest.raises(IntegrityError):
        application.save(FactEvent(BOB, 1, ticked()), FactEvent(ALICE, 1, ticked()))
    assert (await postgres_store.load(BOB)).version == 0


async def test_nothing_personal_is_stored_in_clear(application, database_url):
    application.save(FactEvent(ALICE, 1, named("Lovelace")), organization=ORGANIZATION, owner=ALICE)
    with psycopg.connect(database_url) as db:
        [(data, sealed)] = db.execute("select data, sealed from events").fetchall()
    assert b"Lovelace" not in data + sealed
    [stored] = application.events.get(ALICE)
    assert stored.fact == named("Lovelace")


async def test_an_old_version_is_upcast_on_reading(application, database_url):
    application.save(FactEvent(ALICE, 1, ticked(1)))
    with psycopg.connect(database_url) as db:
        db.execute("alter table events disable trigger all")
        db.execute(
            "update events set name = 'test.ticked.v1', data = %s",
            (b'{"count": "7", "at": "2026-03-01T12:00:00Z"}',),
        )
    assert application.repository.get(ALICE, projector_func=folded) == [ticked(7)]


async def test_the_notification_log_has_all_facts_in_position_order(application, postgres_store):
    for i in range(15):
        await postgres_store.append(command(*new(stream(f"s{i}"), 0, ticked(i))))
    application.save(FactEvent(ALICE, 1, named("Ada")), owner=ALICE)
    section = application.notification_log["1,10"]
    assert [item.id for item in section.items] == list(range(1, 11))
    rest = application.notification_log.select(11, 10)
    events = [application.mapper.to_domain_event(item).fact for item in rest]
    assert events == [*map(ticked, range(10, 15)), named("Ada")]
    assert application.recorder.max_notification_id() == 16
    topics = application.recorder.select_notifications(1, 10, topics=["test.named.v1"])
    assert [item.id for item in topics] == [16]


async def test_streams_can_be_read_in_parts(application, postgres_store):
    await postgres_store.append(command(*new(ALICE, 0, *map(ticked, range(1, 6)))))
    read = application.recorder.select_events
    assert [e.originator_version for e in read(ALICE, gt=1, lte=4)] == [2, 3, 4]
    assert [e.originator_version for e in read(ALICE, desc=True, limit=2)] == [5, 4]


async def test_threads_and_tasks_write_the_same_streams_at_the_same_time(
    application, postgres_store
):
    """Each version of each stream is won once; nobody is told of a win that is not there."""
    streams = [stream(f"shared {i}") for i in range(10)]

    def save(i):
        try:
            [recording] = application.save(FactEvent(streams[i % 10], 1 + i // 10, ticked(i)))
        except IntegrityError:
            return None
        return recording.notification.id

    async def append(i):
        try:
            return (await postgres_store.append(command(*new(streams[i % 10], i // 10)))).last
        except VersionConflict:
            return None

    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor(8) as threads:
        for version in range(5):
            turn = range(version * 10, version * 10 + 10)
            saves = [loop.run_in_executor(threads, save, i) for i in turn]
            won = await asyncio.gather(*saves, *map(append, turn))
            assert sum(position is not None for position in won) == 10
    facts = await postgres_store.read(0, 1000)
    assert sorted((f.stream, f.version) for f in facts) == sorted(
        (each, version) for each in streams for version in range(1, 6)
    )


async def test_a_save_whose_answer_got_lost_is_found_again(application, monkeypatch):
    call, calls = application.recorder._call, []

    def lose_the_answer(batch):
        calls.append(batch)
        call(batch)
        raise OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(application.recorder, "_call", lose_the_answer)
    [recording] = application.save(FactEvent(ALICE, 1, ticked()))
    assert recording.notification.id == 1
    assert len(calls) == 1


class Dog(Aggregate):
    """An aggregate as the library's own guide writes it."""

    @event("Registered")
    def __init__(self, name):
        self.name = name
        self.tricks = []

    @event("TrickAdded")
    def add_trick(self, trick):
        self.tricks.append(trick)


async def test_an_application_of_the_library_alone_runs_on_the_log(database_url):
    topic = {"APPLICATION_RECORDER_TOPIC": "adapters.recorder:LogRecorder"}
    with Application(env={**settings(database_url), **topic}) as kennel:
        dog = Dog("Rex")
        dog.add_trick("roll over")
        kennel.save(dog)
        stale = kennel.repository.get(dog.id)
        dog.add_trick("sit")
        kennel.save(dog)
        assert kennel.repository.get(dog.id).tricks == ["roll over", "sit"]
        stale.add_trick("bark")
        with pytest.raises(IntegrityError):
            kennel.save(stale)
        assert [item.id for item in kennel.notification_log["1,10"].items] == [1, 2, 3]


async def test_a_subscription_is_told_of_what_others_append(application, postgres_store):
    await postgres_store.append(command(*new(ALICE, 0, ticked(1))))

    def next_two():
        with application.recorder.subscribe(gt=0) as subscription:
            return [next(subscription).id for _ in range(2)]

    waiting = asyncio.get_running_loop().run_in_executor(None, next_two)
    await postgres_store.append(command(*new(ALICE, 1, ticked(2))))
    async with asyncio.timeout(60):
        assert await waiting == [1, 2]
