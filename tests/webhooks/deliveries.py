"""What tests of deliveries share: an impatient sender, and waiting for what shall come."""

import asyncio
import json
from datetime import timedelta

from subscribers.deliver_webhooks import Policy
from subscribers.webhooks.schedule import Schedule


ENDPOINTS = "/webhook/endpoints/"
SOON = timedelta(milliseconds=50)


def impatient(engine, *delays, **changes):
    """Let the sender of an engine try again after these delays."""
    schedule = Schedule(delays or (SOON,) * 9, jitter=0.0)
    engine.webhooks.sender._policy = Policy(schedule=schedule, **changes)


async def subscribe(client, url, *events, **more):
    asked = {"url": url, "events": list(events) or ["*"], **more}
    answered = await client.post(ENDPOINTS, json=asked)
    assert answered.status_code == 201, answered.text
    return answered.json()


async def until(condition, seconds=60):
    """Wait until a condition holds; it may be a coroutine function."""
    async with asyncio.timeout(seconds):
        while True:
            found = condition()
            if asyncio.iscoroutine(found):
                found = await found
            if found:
                return found
            await asyncio.sleep(0.01)


def bodies(receiver):
    return [json.loads(request.body) for request in receiver.requests]


def names(receiver):
    return [body["data"]["object"]["name"] for body in bodies(receiver)]


async def rows(engine, sql, *parameters):
    return await engine.reader.rows(sql, parameters)


async def attempts(engine):
    return await rows(
        engine,
        "SELECT event, status_code, is_success, retry_count FROM webhooks.attempts "
        "ORDER BY last_attempt, id",
    )


async def drained(engine):
    """Whether nothing waits any more and all that was sent is written down."""
    found = await rows(engine, "SELECT count(*) FROM webhooks.lanes WHERE waiting > 0")
    return found == [(0,)]
