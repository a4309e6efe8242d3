"""Steps of one customer never overlap, and nobody waits for one that is over."""

import asyncio
from uuid import UUID

import pytest

from subscribers.runner import Reaction
from subscribers.test_clocks.inline import Inline


pytestmark = pytest.mark.anyio

ADA, BOB = UUID(int=1), UUID(int=2)


class Fact:
    """What the reaction wants."""

    owner = ADA
    position = 7


@pytest.mark.timeout(10)
async def test_a_second_step_of_the_same_customer_waits_for_the_first():
    inline = Inline([])
    order = []
    inside, go_on = asyncio.Event(), asyncio.Event()

    async def first():
        async with inline.step(ADA):
            inside.set()
            await go_on.wait()
            order.append("first")

    async def second():
        await inside.wait()
        async with inline.step(ADA):
            order.append("second")

    async with asyncio.TaskGroup() as group:
        group.create_task(first())
        group.create_task(second())
        await inside.wait()
        async with inline.step(BOB):
            order.append("bob")
        go_on.set()
    assert order == ["bob", "first", "second"]


@pytest.mark.timeout(10)
async def test_the_reader_of_the_log_goes_on_after_steps_that_were_asked_for_at_once():
    handled = []

    async def handle(recorded):
        handled.append(recorded.position)

    inline = Inline([])
    shared = inline.shared(Reaction("collect", frozenset({Fact}), handle))

    async def step():
        async with inline.step(ADA):
            await asyncio.sleep(0)

    async with asyncio.TaskGroup() as group:
        for _ in range(3):
            group.create_task(step())
        await asyncio.sleep(0)
        group.create_task(shared.handle(Fact()))
    assert handled == [7]
