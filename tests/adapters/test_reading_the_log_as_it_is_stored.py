"""The log as consumers read it: sealed, by position, narrowed, in bounded steps."""

import base64
import json

import pytest

from adapters import fact_stream
from adapters.fact_stream import PostgresFactStream
from kernel.ports.fact_stream import Selection
from tests.log_facts import ALICE, BOB, ORGANIZATION, command, named, new, stream, ticked
from wire.cloud_event import cloud_event, source_of


pytestmark = [pytest.mark.anyio, pytest.mark.postgres]
ALL = Selection()


@pytest.fixture
def facts(postgres_store):
    return PostgresFactStream(postgres_store.pool)


async def _read(facts, only, after=0, limit=100):
    stretch = await facts.read(after, limit, only)
    return [(fact.position, fact.name) for fact in stretch.facts], stretch.until


async def test_facts_come_in_order_and_the_stretch_tells_where_to_go_on(postgres_store, facts):
    await postgres_store.append(command(*new(ALICE, 0, ticked(1), ticked(2), ticked(3))))
    first = await facts.read(0, 2, ALL)
    rest = await facts.read(first.until, 2, ALL)
    assert [fact.version for fact in (*first.facts, *rest.facts)] == [1, 2, 3]
    assert (await facts.read(rest.until, 2, ALL)).until == rest.until == await facts.head()


async def test_an_empty_log_has_the_head_0(facts):
    assert (await facts.head(), await _read(facts, ALL)) == (0, ([], 0))


async def test_a_selection_narrows(postgres_store, facts):
    await postgres_store.append(command(*new(ALICE, 0, ticked(), named(), owner=ALICE)))
    await postgres_store.append(command(*new(BOB, 0, ticked(), owner=BOB)))
    head = await facts.head()
    for only, names in (
        (Selection(organization=ORGANIZATION), 3),
        (Selection(organization=stream("another")), 0),
        (Selection(owner=ALICE), 2),
        (Selection(stream=BOB), 1),
        (Selection(names=("test.named.v1",)), 1),
        (Selection(prefixes=("test.",)), 3),
        (Selection(names=("test.named.v1",), prefixes=("test.t",)), 3),
        (Selection(prefixes=("est",)), 0),
    ):
        found, until = await _read(facts, only)
        assert (len(found), until) == (names, head), only


async def test_a_page_looks_at_no_more_than_a_stretch(postgres_store, facts, monkeypatch):
    monkeypatch.setattr(fact_stream, "SCAN", 2)
    await postgres_store.append(command(*new(ALICE, 0, ticked(), ticked(), ticked(), named())))
    only = Selection(names=("test.named.v1",))
    found, until = await _read(facts, only)
    assert found == []
    found, until = await _read(facts, only, until)
    assert [name for _, name in found] == ["test.named.v1"]


async def test_an_event_keeps_what_is_personal_sealed(postgres_store, facts):
    sent = command(*new(ALICE, 0, named("Ada Lovelace", number=7), owner=ALICE), causation=3)
    receipt = await postgres_store.append(sent)
    [fact] = (await facts.read(0, 1, ALL)).facts
    source = source_of("sandbox", await facts.log_id())
    told = cloud_event(fact, source)
    event = json.loads(told)
    assert b"Lovelace" not in told
    assert base64.b64decode(event.pop("sealed")) == fact.sealed
    assert event == {
        "specversion": "1.0",
        "id": str(receipt.first),
        "source": source,
        "type": "test.named.v1",
        "subject": str(ALICE),
        "time": "2026-03-01T12:00:00Z",
        "datacontenttype": "application/json",
        "streamversion": 1,
        "organization": str(ORGANIZATION),
        "owner": str(ALICE),
        "recordedat": event["recordedat"],
        "commandid": str(sent.command_id),
        "commandindex": 0,
        "correlationid": str(sent.correlation_id),
        "causationid": "3",
        "actor": "operator",
        "data": {"number": 7, "occurred_at": "2026-03-01T12:00:00Z"},
    }


async def test_a_page_holds_no_more_bytes_than_its_limit_but_for_its_last_fact(
    postgres_store, facts, monkeypatch
):
    long = named("Ada" * 1_000)
    await postgres_store.append(command(*new(ALICE, 0, *[ticked()] * 5, long, ticked())))
    whole = (await facts.read(0, 100, ALL)).facts
    size = len(whole[0].data)
    monkeypatch.setattr(fact_stream, "BYTES", 2 * size)
    pages, after = [], 0
    while page := (stretch := await facts.read(after, 100, ALL)).facts:
        assert stretch.until == page[-1].position
        assert stretch.more is (stretch.until < await facts.head())
        pages.append([fact.position for fact in page])
        after = stretch.until
    assert pages == [[1, 2], [3, 4], [5, 6], [7]]
    monkeypatch.setattr(fact_stream, "BYTES", 1)
    assert [fact.position for fact in (await facts.read(5, 100, ALL)).facts] == [6]
