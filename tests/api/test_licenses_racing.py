"""Many instances at once, over real sockets and PostgreSQL, in one process and in two."""

import asyncio

import httpx
import pytest

from tests.api.license_life import activate, active, owned, shown
from tests.engines import SERVER_KEY
from tests.served import served


pytestmark = pytest.mark.anyio

AT_ONCE = 50


def caller(address):
    return httpx.AsyncClient(
        base_url=f"{address}/api/v1",
        headers={"Authorization": f"Bearer {SERVER_KEY}"},
        limits=httpx.Limits(max_connections=AT_ONCE),
        timeout=60,
    )


async def race(callers, license_, names):
    """Status by name, each asked for by one of the callers in turn."""
    asked = (
        activate(callers[number % len(callers)], license_, name)
        for number, name in enumerate(names)
    )
    answers = await asyncio.gather(*asked)
    for answer in answers:
        assert answer.status_code in {200, 403}, answer.text
        assert ("error" in answer.json()) is (answer.status_code == 403)
    return answers


async def three_win(callers, license_):
    names = [f"machine {number}" for number in range(AT_ONCE)]
    answers = await race(callers, license_, names)
    won = [answer.json() for answer in answers if answer.status_code == 200]
    assert len(won) == 3
    assert len({each["instanceId"] for each in won}) == 3
    record = await shown(callers[0], license_)
    assert (record["activationUsage"], record["activationLimit"]) == (3, 3)
    listed = (await callers[0].get(f"/licenses/{license_['id']}/instances/")).json()
    assert {each["id"] for each in listed["results"]} == {each["instanceId"] for each in won}


async def test_fifty_activations_at_once_on_a_limit_of_three(database_url):
    with served(database_url) as (core, _):
        async with caller(core) as client:
            await three_win([client], await owned(client))


async def test_fifty_activations_at_once_in_two_processes(database_url):
    with served(database_url) as (core, _), served(database_url) as (other, _):
        async with caller(core) as one, caller(other) as two:
            await three_win([one, two], await owned(one))


async def test_one_instance_that_asks_many_times_at_once_has_one_place(database_url):
    with served(database_url) as (core, _):
        async with caller(core) as client:
            license_ = await owned(client)
            answers = await race([client], license_, ["laptop"] * AT_ONCE)
            assert {answer.status_code for answer in answers} == {200}
            assert len({answer.json()["instanceId"] for answer in answers}) == 1
            assert (await shown(client, license_))["activationUsage"] == 1
            await active(client, license_, "phone")
