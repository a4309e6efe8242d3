"""Which of the waiting commands go into the next batch."""

import asyncio

import pytest

from adapters.append_call import MOST_FACTS, take
from adapters.batch import Packed, written
from kernel.ports.event_store import IdempotencyClaim
from tests.log_facts import command, new, stream


def packed(*writes, reads=(), facts=1, size=100, **more):
    sent = command(*(fact for each in writes for fact in new(stream(each), 0)), **more)
    expects = {stream(each): 0 for each in (*writes, *reads)}
    return Packed(sent, ((),) * facts, expects, written(sent), (), (), size)


def test_commands_of_different_streams_go_together():
    assert take([packed("a"), packed("b"), packed("c", "d")]) == [0, 1, 2]


def test_of_two_commands_on_one_stream_the_second_waits():
    assert take([packed("a"), packed("b"), packed("a"), packed("c")]) == [0, 1, 3]


def test_a_command_that_waits_holds_back_those_behind_it():
    """Else the third would overtake the second on stream b."""
    assert take([packed("a"), packed("a", "b"), packed("b")]) == [0]


def test_many_may_read_the_same_stream():
    assert take([packed("a", reads="p"), packed("b", reads="p")]) == [0, 1]


def test_nobody_reads_what_another_of_the_batch_writes():
    assert take([packed("p"), packed("a", reads="p")]) == [0]
    assert take([packed("a", reads="p"), packed("p")]) == [0]


def test_a_claim_and_an_idempotency_key_are_written_once_in_a_batch():
    claims = (stream("mail"),)
    assert take([packed("a", claims=claims), packed("b", claims=claims)]) == [0]
    key = IdempotencyClaim(b"key", b"request")
    assert take([packed("a", idempotency=key), packed("b", idempotency=key)]) == [0]


def test_a_batch_has_a_largest_size():
    many = [packed(f"s{i}", facts=MOST_FACTS // 2) for i in range(4)]
    assert take(many) == [0, 1]
    heavy = [packed(f"s{i}", size=150_000) for i in range(4)]
    assert take(heavy) == [0, 1]


def test_a_command_beyond_the_largest_size_goes_alone():
    assert take([packed("a", facts=5 * MOST_FACTS), packed("b")]) == [0]


@pytest.mark.anyio
async def test_writers_take_turns_instead_of_waiting_for_one_batch(postgres_store, monkeypatch):
    """While the server works for one half, the other half prepares."""
    sizes = []
    call = postgres_store._appender._call

    async def measured(batch):
        sizes.append(len(batch))
        return await call(batch)

    monkeypatch.setattr(postgres_store._appender, "_call", measured)

    async def writer(i):
        for j in range(20):
            await postgres_store.append(command(*new(stream(f"w{i}"), j)))

    await asyncio.gather(*(writer(i) for i in range(64)))
    assert sum(sizes) == 64 * 20
    assert max(sizes) <= 48
    assert len(sizes) <= 64 * 20 / 16 + 4
