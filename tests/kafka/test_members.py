"""Members of the views' group, against partitions that a test hands out itself."""

import asyncio
from collections import deque
from datetime import UTC, datetime

import psycopg
import pytest

from adapters.cloud_facts import CloudFacts
from adapters.fact_stream import PostgresFactStream
from app.wiring import with_views
from kernel.ports.fact_stream import Selection
from kernel.ports.partitions import Polled, StreamRecord
from projections.streamed.across import AcrossMember
from projections.streamed.keyed import KeyedMember
from projections.streamed.private import prepare
from tests import databases
from tests.api.test_subscriptions import sells
from tests.billing_facts import Histories, a_whole_life
from tests.engines import running
from tests.hosted_buyer import begin
from tests.processes import until
from wire.cloud_event import cloud_event, source_of
from wire.stream import PARTITIONS, heartbeat, partition_of


pytestmark = [pytest.mark.postgres, pytest.mark.anyio]
NEXT_OFFSET = "SELECT next_offset FROM view_partitions WHERE member = 'keyed' AND partition = {}"
NOW = datetime(2026, 3, 1, tzinfo=UTC)


class Handed:
    """Partitions as a test deals them."""

    def __init__(self, *polls):
        self.polls = deque(polls)
        self.started = {}
        self.begun = 0

    async def begin(self):
        self.begun += 1

    async def start(self, offsets):
        self.started |= offsets

    async def poll(self):
        await asyncio.sleep(0.01)
        return self.polls.popleft() if self.polls else Polled({})

    async def close(self):
        pass


@pytest.fixture
async def replica_url(server_url, template):
    with databases.fresh(server_url, template) as name:
        url = databases.url(server_url, name)
        await prepare(url, PARTITIONS)
        yield url


def value(url, query):
    with psycopg.connect(with_views(url)) as db:
        row = db.execute(query).fetchone()
        return row and row[0]


async def seen(url, query, wanted):
    await asyncio.to_thread(until, lambda: value(url, query) == wanted)


async def partitions_of(engine):
    """What the publisher would have written: the records of each partition."""
    facts = PostgresFactStream(engine.store.pool)
    source = source_of("sandbox", await facts.log_id())
    parts = {each: [] for each in range(PARTITIONS)}
    for fact in (await facts.read(0, 10_000, Selection())).facts:
        mine = parts[partition_of(fact.owner)]
        mine.append(StreamRecord(len(mine), cloud_event(fact, source)))
    return parts


async def run(member, condition):
    """Until the condition holds."""
    task = asyncio.create_task(member.run())
    try:
        await condition
    finally:
        member.stop()
        await task


async def test_a_member_that_lost_a_partition_unawares_writes_nothing_into_it(
    database_url, replica_url
):
    histories = Histories()
    a_whole_life(histories, "ann")
    async with running(database_url, "views") as (engine, _):
        await histories.append_to(engine.store)
        parts = await partitions_of(engine)
        number, records = max(parts.items(), key=lambda part: len(part[1]))
        facts = CloudFacts(engine.store)
        fresh, first, rest = frozenset({number}), records[:5], records[5:]
        query = NEXT_OFFSET.format(number)

        zombie_reads = Handed(Polled({}, fresh), Polled({number: first}))
        zombie = KeyedMember(replica_url, zombie_reads, facts)
        task = asyncio.create_task(zombie.run())
        await seen(replica_url, query, 5)

        heir = KeyedMember(replica_url, Handed(Polled({}, fresh), Polled({number: rest})), facts)
        await run(heir, seen(replica_url, query, len(records)))
        counted = value(replica_url, "SELECT sum(n) FROM counters")

        zombie_reads.polls.append(Polled({number: rest}))
        await asyncio.to_thread(until, lambda: zombie_reads.begun == 2)
        zombie.stop()
        await task
        assert value(replica_url, query) == len(records)
        assert value(replica_url, "SELECT sum(n) FROM counters") == counted


async def test_the_repeated_tail_of_the_publisher_changes_nothing(database_url, replica_url):
    histories = Histories()
    a_whole_life(histories, "ann")
    async with running(database_url, "views") as (engine, _):
        await histories.append_to(engine.store)
        parts = await partitions_of(engine)
        number, records = max(parts.items(), key=lambda part: len(part[1]))
        again = [StreamRecord(record.offset + 10, record.value) for record in records[-10:]]
        query = NEXT_OFFSET.format(number)
        reads = Handed(
            Polled({}, frozenset({number})), Polled({number: records}), Polled({number: again})
        )
        member = KeyedMember(replica_url, reads, CloudFacts(engine.store))
        await run(member, seen(replica_url, query, len(records) + 10))
        for table in ("invoices", "order_events", "balance_entries"):
            [(here,)] = await engine.reader.rows(f"SELECT count(*) FROM {table}", ())
            assert value(replica_url, f"SELECT count(*) FROM {table}") == here > 0


async def test_a_fact_waits_until_every_partition_has_told_a_later_position(
    database_url, replica_url
):
    async with running(database_url, "views") as (engine, client):
        await sells(client)
        look = {"customization": {"color": "blue"}}
        await client.patch("/organizations/checkout-settings/", json=look)
        await begin(client)
        head = await engine.store.head()
        parts = await partitions_of(engine)
    async with running(database_url) as (engine, _):
        facts = CloudFacts(engine.store)
        *_, late = sorted(parts, key=lambda each: len(parts[each]))  # the organization's own
        early = {each: [*parts[each]] for each in parts if each != late}
        beats = {
            each: [StreamRecord(len(parts[each]), heartbeat(head, each, "x", NOW))]
            for each in parts
        }
        told = Polled({each: early[each] + beats[each] for each in early})
        reads = Handed(told)
        member = AcrossMember(replica_url, reads, facts)
        task = asyncio.create_task(member.run())
        await asyncio.to_thread(until, lambda: not reads.polls)
        assert value(replica_url, "SELECT count(*) FROM checkouts") == 0
        reads.polls.append(Polled({late: parts[late] + beats[late]}))
        await seen(replica_url, "SELECT count(*) FROM checkouts", 1)
        member.stop()
        await task
    shown = value(replica_url, "SELECT convert_from(doc, 'utf8') FROM checkouts")
    assert '"color":"blue"' in shown


async def test_the_reader_of_all_partitions_resumes_at_what_still_waits(database_url, replica_url):
    async with running(database_url, "views") as (engine, client):
        await sells(client)
        await begin(client)
        head = await engine.store.head()
        parts = await partitions_of(engine)
        facts = CloudFacts(engine.store)
        *_, late = sorted(parts, key=lambda each: len(parts[each]))
        beats = {
            each: [StreamRecord(len(parts[each]), heartbeat(head, each, "x", NOW))]
            for each in parts
        }
        half = parts[late][: len(parts[late]) // 2]
        polled = Polled(
            {each: half if each == late else parts[each] + beats[each] for each in parts}
        )
        query = "SELECT position FROM view_checkpoints WHERE name = 'across'"
        first = AcrossMember(replica_url, Handed(polled), facts)
        task = asyncio.create_task(first.run())
        await asyncio.to_thread(until, lambda: value(replica_url, query) > 0)
        first.stop()
        await task
        second_reads = Handed()
        second = AcrossMember(replica_url, second_reads, facts)
        task = asyncio.create_task(second.run())
        await asyncio.to_thread(until, lambda: second_reads.started)
        whole = {each: parts[each] + beats[each] for each in parts}
        left = {each: records[second_reads.started[each] :] for each, records in whole.items()}
        second_reads.polls.append(Polled({each: some for each, some in left.items() if some}))
        await seen(replica_url, query, head)
        second.stop()
        await task
        assert value(replica_url, "SELECT count(*) FROM checkouts") == 1
