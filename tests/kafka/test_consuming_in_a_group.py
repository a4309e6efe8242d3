"""A group of consumers of another make arrives at the same subscriptions as our own view."""

import asyncio
from contextlib import ExitStack

import pytest

from projections.subscriptions import STATUSES
from tests import processes
from tests.billing_facts import Histories, a_whole_life
from tests.engines import running
from tests.kafka.group import Member, States
from tests.kafka.stream import publishing, topic
from wire.stream import PARTITIONS


pytestmark = [pytest.mark.kafka, pytest.mark.postgres, pytest.mark.anyio]
CUSTOMERS = 30


def unfinished_lives():
    """Customers whose lives stand at many points."""
    lives = []
    for number in range(CUSTOMERS):
        histories = Histories()
        a_whole_life(histories, f"customer {number}")
        histories.commands = histories.commands[: 3 + number]
        lives.append(histories)
    return lives


async def listed(client):
    """Every subscription as the API has it, by id."""
    found = {}
    for number in range(CUSTOMERS):
        wanted = {"customer_id": f"customer {number}", "status": ",".join(STATUSES)}
        answer = await client.get("/subscriptions/", params=wanted)
        for each in answer.json()["results"]:
            found[each["id"]] = {
                "status": each["status"],
                "plan": each["plan"]["identifier"],
                "startDate": each["startDate"],
            }
    return found


async def until(condition):
    await asyncio.to_thread(processes.until, condition)


async def test_three_members_rebuild_what_we_show(database_url, kafka, prefix):
    lives = unfinished_lives()
    states = States()
    with ExitStack() as stack:

        def member():
            one = Member(kafka, topic(prefix), f"{prefix} group", states)
            stack.callback(one.stop)
            return one

        async with running(database_url, "views") as (engine, client):
            for histories in lives[:10]:
                await histories.append_to(engine.store)
            async with publishing(database_url, engine.store, kafka, prefix) as publisher:
                assert await publisher.positions.wait(await engine.store.head(), 60)
                first, second, third = (member() for _ in range(3))
                for histories in lives[10:20]:
                    await histories.append_to(engine.store)
                await until(lambda: all(each.assigned for each in (first, second, third)))
                first.stop()
                await until(lambda: len(second.assigned | third.assigned) == PARTITIONS)
                for histories in lives[20:]:
                    await histories.append_to(engine.store)
                fourth = member()
                await until(lambda: fourth.assigned)
                head = await engine.store.head()
                assert await publisher.positions.wait(head, 60)
                await until(lambda: states.reached() == head)
            assert await engine.positions.wait(head, 60)
            shown = await listed(client)
    assert len(shown) > CUSTOMERS / 2
    assert {number: states.subscriptions[number] for number in shown} == shown
    assert len({each["status"] for each in shown.values()}) >= 4
