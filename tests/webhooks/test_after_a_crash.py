"""A crash of the server takes what was not on its disk yet: nobody goes by what he remembers."""

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest

from projections.due import DueTimers
from projections.shown import ViewsBehindError
from projections.subscribers import PlanSubscribers
from subscribers.webhooks import queue
from subscribers.webhooks.queue import Attempt, Release
from tests.adapters.receiver import Receiver, answer
from tests.engines import running
from tests.webhooks.deliveries import attempts, drained, impatient, names, rows, subscribe, until
from tests.webhooks.test_surviving import customer, sender, without_sender


pytestmark = pytest.mark.anyio

TAKE_BACK = "DELETE FROM webhooks.deliveries RETURNING seq, event, endpoint, lane"
PUT_DOWN = (
    "INSERT INTO webhooks.deliveries (seq, event, endpoint, lane) OVERRIDING SYSTEM VALUE "
    "VALUES (%s, %s, %s, %s)"
)


def success(lane):
    (delivery,) = lane.deliveries
    return Attempt(
        id=uuid4(),
        lane=lane,
        delivery=delivery,
        at=datetime.now(UTC),
        status=200,
        success=True,
        state="done",
        problem=None,
    )


async def put_down_again(db):
    """The same deliveries, each under the number that another one had before."""
    made = await (await db.execute(TAKE_BACK)).fetchall()
    numbers = [seq for seq, *_ in made]
    for seq, (_, *delivery) in zip(reversed(numbers), made, strict=True):
        await db.execute(PUT_DOWN, (seq, *delivery))


async def test_an_outcome_settles_no_delivery_but_its_own(database_url):
    async with without_sender(database_url) as (engine, client), Receiver() as there:
        endpoints = [(await subscribe(client, f"{there.url}/{n}"))["id"] for n in range(2)]
        await customer(client, "ada")
        async with engine.webhooks.pool.connection() as db:
            claimed = await queue.claim(db, dict.fromkeys(map(UUID, endpoints), 0), 10)
            await put_down_again(db)
            heard = next(lane for lane in claimed if str(lane.endpoint) == endpoints[0])
            free = [Release(lane, timedelta()) for lane in claimed]
            async with db.transaction():
                await queue.record(db, [success(heard)], free)
        async with sender(engine):
            await until(lambda: drained(engine))
        assert {request.line.split()[1] for request in there.requests} == {"/hook/0", "/hook/1"}


async def test_outcomes_are_written_down_though_an_endpoint_cannot_be_disabled(database_url):
    answers = iter([500, 500])

    async def recovers(request, writer):
        await answer(next(answers, 200))(request, writer)

    async def fails(*_):
        raise RuntimeError("the log cannot be reached")

    async with running(database_url) as (engine, client), Receiver(recovers) as there:
        impatient(engine, failing_limit=timedelta())
        engine.webhooks.sender._give_up = fails
        await subscribe(client, there.url)
        await customer(client, "ada")
        await until(lambda: drained(engine))
        assert names(there) == ["ada 0"] * 3
        assert [success for _, _, success, _ in await attempts(engine)] == [False, False, True]
        assert await rows(engine, "SELECT holder FROM webhooks.lanes") == [(None,)]


async def test_whoever_acts_once_waits_for_views_that_a_crash_has_set_back(database_url):
    async with running(database_url) as (engine, client):
        await customer(client, "ada")
        head = await engine.store.head()
        due, subscribers = DueTimers(engine.pool), PlanSubscribers(engine.pool)
        asked = (
            lambda at: due.on_test_clock(uuid4(), datetime.now(UTC), at),
            lambda at: due.customers_on(uuid4(), at),
            lambda at: subscribers.of_plan(uuid4(), None, 10, at),
        )
        for ask in asked:
            assert await ask(head) == []
            with pytest.raises(ViewsBehindError):
                await ask(head + 1)
