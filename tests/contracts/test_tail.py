"""Readers at the head share one fetch and one decoding, and still miss nothing."""

import asyncio
from dataclasses import dataclass
from random import Random

import pytest

from adapters.tail import Tail


pytestmark = pytest.mark.anyio


@dataclass(frozen=True)
class Fact:
    position: int


class Log:
    def __init__(self):
        self.facts = []
        self.fetches = 0
        self._random = Random(1)

    def grow(self, number):
        for _ in range(number):
            last = self.facts[-1].position if self.facts else 0
            self.facts.append(Fact(last + self._random.randint(1, 3)))

    async def fetch(self, after, limit):
        self.fetches += 1
        found = [fact for fact in self.facts if fact.position > after][:limit]
        await asyncio.sleep(0)
        return found


async def _follow(tail, log, total, limit):
    seen = []
    while len(seen) < total:
        seen += await tail.read(seen[-1].position if seen else 0, limit)
        await asyncio.sleep(0)
    assert seen == log.facts


@pytest.mark.parametrize("capacity", [5, 50, 5_000])
async def test_every_reader_sees_every_fact_once_in_order(capacity):
    log, total = Log(), 600
    tail = Tail(log.fetch, capacity)

    async def write():
        while len(log.facts) < total:
            log.grow(min(7, total - len(log.facts)))
            await asyncio.sleep(0)

    readers = (_follow(tail, log, total, limit) for limit in (1, 3, 10, 500))
    await asyncio.gather(write(), *readers)


@pytest.mark.parametrize("capacity", [5, 5_000])
async def test_what_this_process_appends_is_added_without_a_hole(capacity):
    """Another one appends as well: then what lies between is fetched."""
    log, total, random = Log(), 600, Random(2)
    tail = Tail(log.fetch, capacity)
    given = []

    async def write():
        while len(log.facts) < total:
            number, before = len(log.facts), log.facts[-1].position if log.facts else 0
            log.grow(min(7, total - number))
            if random.random() < 0.7 and tail.ends_at(before):
                given.append(len(log.facts) - number)
                tail.add(log.facts[number:])
            for _ in range(random.randint(1, 9)):
                await asyncio.sleep(0)

    readers = (_follow(tail, log, total, limit) for limit in (1, 3, 10, 500))
    await asyncio.gather(write(), *readers)
    assert sum(given) > 50


async def test_what_is_committed_before_a_read_is_seen_by_it():
    log = Log()
    tail = Tail(log.fetch)
    assert await tail.read(0, 10) == []
    running = asyncio.create_task(tail.read(0, 10))
    await asyncio.sleep(0)
    log.grow(1)
    assert await tail.read(0, 10) == log.facts
    await running


async def test_readers_at_the_head_do_not_fetch_again():
    log = Log()
    tail = Tail(log.fetch)
    log.grow(20)
    for _ in range(5):
        assert await tail.read(0, 100) == log.facts
    assert log.fetches == 1


async def test_what_was_added_is_not_fetched():
    log = Log()
    tail = Tail(log.fetch)
    assert await tail.read(0, 10) == []
    for _ in range(20):
        last = log.facts[-1].position if log.facts else 0
        log.grow(3)
        assert tail.ends_at(last)
        tail.add(log.facts[-3:])
        assert await tail.read(last, 10) == log.facts[-3:]
    assert log.fetches == 1


async def test_a_reader_ahead_of_what_is_held_misses_nothing():
    """It takes up where another process was, while nobody of this one has read for long."""
    log = Log()
    tail = Tail(log.fetch)
    assert await tail.read(0, 10) == []
    log.grow(2_500)
    ahead = log.facts[2_400].position
    assert await tail.read(ahead, 10) == log.facts[2_401:2_411]
    assert await tail.read(log.facts[-1].position, 10) == []
    assert await tail.read(ahead, 1_000) == log.facts[2_401:]
    assert await tail.read(0, 3) == log.facts[:3]
