"""Time over separate processes: nothing is lost or done twice when the one that keeps it dies."""

import asyncio
import re
import signal
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from commands.billing.renewing import MOST_AT_ONCE
from kernel.interval import INTERVALS, ChargePeriod, period_at
from tests.api.test_advancing_clocks import advance, clock, subscribe
from tests.api.test_subscriptions import PRO, VISA, customer, sells
from tests.journeys.test_composed_processes import key, processes, variables  # noqa: F401 fixtures
from tests.patient import AsyncPatient
from tests.processes import running


pytestmark = [
    pytest.mark.postgres,
    pytest.mark.journey,
    pytest.mark.anyio,
]

YEARS = (2026, 2031, 2041)


def clients(processes, key):  # noqa: F811 the fixtures
    """One client that writes and one that reads, as the proxy splits them."""

    def client(name):
        address = re.search(r"http://\S+", processes[name].text)[0]
        headers = {"Authorization": f"Bearer {key}"}
        return httpx.AsyncClient(
            base_url=f"{address}/api/v1", headers=headers, timeout=90, transport=AsyncPatient()
        )

    return client("write-api"), client("read-api")


async def count(client, path):
    return (await client.get(path)).json()["count"]


async def until_counted(client, path, number):
    async with asyncio.timeout(120):
        while await count(client, path) < number:  # noqa: ASYNC110 of another process
            await asyncio.sleep(0.02)


async def test_a_killed_worker_is_replaced_in_the_middle_of_an_advance(
    processes,  # noqa: F811 the fixture
    variables,  # noqa: F811 the fixture
    key,  # noqa: F811 the fixture
):
    write, read = clients(processes, key)
    async with write, read:
        await sells(write)
        clock_id = await clock(write)
        for name in ("ada", "bob"):
            await subscribe(write, clock_id, name)
        for year in YEARS:
            begun = await count(read, "/invoices/")
            asking = asyncio.create_task(advance(write, clock_id, f"{year}-01-31T12:00:00Z"))
            await until_counted(read, "/invoices/", begun + 3)
            if not asking.done():  # else it was over before it was seen
                break
        processes["reactions"].stop(signal.SIGKILL)
        assert not asking.done()
        invoices = 2 * (12 * (year - 2024) + 1)
        with running("worker", "reactions", **variables):
            answer = await asking
            assert answer.status_code == 200, answer.text
            assert answer.json()["status"] == "ready"
            assert await count(read, "/invoices/") == invoices
            assert await count(read, "/transaction/") == invoices


async def test_years_that_were_missed_are_made_up_for_by_one_of_two_workers(
    processes,  # noqa: F811 the fixture
    variables,  # noqa: F811 the fixture
    key,  # noqa: F811 the fixture
):
    write, read = clients(processes, key)
    began = datetime.now(UTC) - timedelta(days=900)
    missed, _ = period_at(began, INTERVALS[ChargePeriod.MONTHLY], datetime.now(UTC))
    assert missed > MOST_AT_ONCE, "some of it is left to timers"
    async with write, read:
        await sells(write)
        with running("worker", "reactions", **variables):
            await customer(write, VISA)
            body = PRO | {"startDate": began.isoformat()}
            answer = await write.post("/subscriptions/create/", json=body)
            assert answer.status_code == 201, answer.text
            await until_counted(read, "/transaction/", missed + 1)
        assert await count(read, "/invoices/") == missed + 1
