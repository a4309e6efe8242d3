"""What every event store promises."""

import asyncio
from uuid import uuid4

import pytest

from kernel.ports.event_store import (
    ClaimTaken,
    IdempotencyClaim,
    IdempotencyKeyTaken,
    VersionConflict,
)
from tests.log_facts import ALICE, BOB, ORGANIZATION, command, named, new, stream, ticked


pytestmark = pytest.mark.anyio


async def test_what_is_appended_is_loaded_in_order(store):
    facts = [ticked(1), named("Ada"), ticked(3)]
    await store.append(command(*new(ALICE, 0, *facts, owner=ALICE)))
    history = await store.load(ALICE)
    assert history.facts == tuple(facts)
    assert (history.version, history.owner) == (3, ALICE)


async def test_an_absent_stream_has_no_history(store):
    history = await store.load(ALICE)
    assert (history.facts, history.version, history.owner) == ((), 0, None)


async def test_the_envelope_is_kept(store):
    causes = await store.append(command(*new(BOB, 0)))
    sent = command(*new(ALICE, 0, ticked(1), ticked(2), owner=ALICE), causation=causes.last)
    receipt = await store.append(sent)
    first, second = await store.command_facts(sent.command_id)
    assert (first.index, second.index) == (0, 1)
    assert (first.version, second.version) == (1, 2)
    assert (first.position, second.position) == (receipt.first, receipt.last)
    assert first.organization == ORGANIZATION
    assert first.owner == ALICE
    assert first.correlation_id == sent.correlation_id
    assert first.causation == causes.last
    assert first.actor == "operator"
    assert first.name == "test.ticked.v2"
    assert first.recorded_at == receipt.recorded_at


async def test_a_stale_expectation_is_refused(store):
    await store.append(command(*new(ALICE, 0)))
    with pytest.raises(VersionConflict):
        await store.append(command(*new(ALICE, 0)))
    with pytest.raises(VersionConflict):
        await store.append(command(*new(ALICE, 2)))
    assert (await store.load(ALICE)).version == 1


async def test_one_conflict_refuses_all_streams_of_the_command(store):
    await store.append(command(*new(ALICE, 0)))
    refused = command(*new(BOB, 0), *new(ALICE, 0))
    with pytest.raises(VersionConflict):
        await store.append(refused)
    assert (await store.load(BOB)).version == 0
    assert await store.command_facts(refused.command_id) == []


async def test_a_stream_that_was_only_read_must_not_have_moved(store):
    await store.append(command(*new(ALICE, 0)))
    await store.append(command(*new(BOB, 0), guards=((ALICE, 1), (stream("absent"), 0))))
    await store.append(command(*new(ALICE, 1)))
    with pytest.raises(VersionConflict):
        await store.append(command(*new(BOB, 1), guards=((ALICE, 1),)))


async def test_a_claim_is_taken_once(store):
    mail, number = uuid4(), uuid4()
    await store.append(command(*new(ALICE, 0), claims=(mail,)))
    refused = command(*new(BOB, 0), claims=(number, mail))
    with pytest.raises(ClaimTaken) as taken:
        await store.append(refused)
    assert taken.value.claims == (mail,)
    await store.append(command(*new(BOB, 0), claims=(number,)))


async def test_an_idempotency_key_is_taken_once(store):
    claim = IdempotencyClaim(b"key", b"request")
    await store.append(command(*new(ALICE, 0), idempotency=claim))
    with pytest.raises(IdempotencyKeyTaken):
        await store.append(command(*new(BOB, 0), idempotency=claim))
    assert (await store.load(BOB)).version == 0


async def test_a_command_without_facts_may_claim(store):
    before = await store.append(command(*new(ALICE, 0)))
    receipt = await store.append(command(claims=(uuid4(),)))
    assert receipt.last == before.last
    assert receipt.first > receipt.last


async def test_one_refused_command_does_not_fail_its_neighbors(store):
    await store.append(command(*new(ALICE, 0)))
    commands = [
        command(*new(ALICE if i == 7 else stream(f"n{i}"), 0, ticked(i))) for i in range(20)
    ]
    answers = await asyncio.gather(*map(store.append, commands), return_exceptions=True)
    assert isinstance(answers.pop(7), VersionConflict)
    assert all(not isinstance(answer, BaseException) for answer in answers)
    facts = await store.read(0, 100)
    assert sorted(f.fact.number for f in facts[1:]) == [i for i in range(20) if i != 7]


async def test_of_many_at_once_on_one_stream_exactly_one_wins(store):
    answers = await asyncio.gather(
        *(store.append(command(*new(ALICE, 0))) for _ in range(20)), return_exceptions=True
    )
    assert sum(isinstance(answer, VersionConflict) for answer in answers) == 19
    assert (await store.load(ALICE)).version == 1


async def test_the_facts_of_a_command_stand_together_in_position_order(store):
    await asyncio.gather(
        *(
            store.append(command(*new(stream(f"a{i}"), 0), *new(stream(f"b{i}"), 0)))
            for i in range(50)
        )
    )
    facts = await store.read(0, 1000)
    positions = [fact.position for fact in facts]
    assert positions == sorted(set(positions))
    for first, second in zip(facts[::2], facts[1::2], strict=True):
        assert first.command_id == second.command_id
        assert second.position == first.position + 1


async def test_recorded_at_never_goes_back(store):
    for i in range(5):
        await asyncio.gather(*(store.append(command(*new(uuid4(), 0))) for _ in range(5 + i)))
    times = [fact.recorded_at for fact in await store.read(0, 1000)]
    assert times == sorted(times)


async def test_reading_goes_on_where_it_left_off(store):
    for i in range(5):
        await store.append(command(*new(ALICE, i, ticked(i))))
    page = await store.read(0, 2)
    rest = await store.read(page[-1].position, 10)
    assert [f.fact.number for f in page + rest] == [0, 1, 2, 3, 4]
    assert await store.read(rest[-1].position, 10) == []
    assert await store.head() == rest[-1].position
