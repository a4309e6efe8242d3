"""Schedulers over PostgreSQL: two at once without a lock, one killed in the middle of a wave."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from app.wiring import Engine
from commands.bus import Bus
from projections.due import DueTimers
from subscribers.timers.firing import Firing
from subscribers.timers.scheduler import NAME, Scheduler
from tests.api.test_subscriptions import PRO, VISA, customer, sells
from tests.engines import place, running
from tests.timekeeping import FreeLock


pytestmark = pytest.mark.anyio

CUSTOMERS = 12


class InThreeMonths:
    def now(self):
        return datetime.now(UTC) + timedelta(days=95)


def unlocked(engine):
    """A scheduler after three months of downtime; it believes to be the only one."""

    async def ask(recorded):
        raise AssertionError(f"nothing is unknown: {recorded}")

    firing = Firing(Bus(engine.store, InThreeMonths()), engine.tenants, ask)
    return Scheduler(DueTimers(engine.pool), firing, engine.positions, FreeLock())


async def subscribed(client):
    await sells(client)
    for number in range(CUSTOMERS):
        await customer(client, VISA, f"c{number}")
        body = PRO | {"customerId": f"c{number}"}
        answer = await client.post("/subscriptions/create/", json=body)
        assert answer.status_code == 201, answer.text


async def all_paid(client):
    async with asyncio.timeout(60):
        while (await client.get("/transaction/")).json()["count"] < 4 * CUSTOMERS:
            continue
    invoices = (await client.get("/invoices/?page_size=100")).json()
    assert invoices["count"] == 4 * CUSTOMERS
    assert {invoice["status"] for invoice in invoices["results"]} == {"PAID"}


@pytest.fixture
def nobody_schedules(monkeypatch):
    """The engine's own scheduler finds the lock taken."""
    acquire = "adapters.checkpoints.PostgresCheckpoints.acquire"
    from adapters.checkpoints import PostgresCheckpoints  # noqa: PLC0415 what is replaced

    really = PostgresCheckpoints.acquire

    async def unless_scheduling(self, name):
        return None if name == NAME else await really(self, name)

    monkeypatch.setattr(acquire, unless_scheduling)


async def test_schedulers_of_two_processes_bill_each_period_once(database_url, nobody_schedules):
    async with running(database_url) as (engine, client):
        await subscribed(client)
        second = await Engine.open(place(database_url))
        try:
            second.start_workers("assess_fees")
            racers = [unlocked(engine), unlocked(second), unlocked(engine)]
            for _ in range(6):
                await asyncio.gather(*(racer.fire_due() for racer in racers))
        finally:
            await second.close()
        await all_paid(client)


async def test_a_wave_that_is_cut_off_is_finished_by_the_next(
    database_url, nobody_schedules, monkeypatch
):
    monkeypatch.setattr("subscribers.timers.scheduler.AT_ONCE", 1)
    async with running(database_url) as (engine, client):
        await subscribed(client)
        before = await engine.store.head()
        wave = asyncio.create_task(unlocked(engine).fire_due())
        while await engine.store.head() < before + 8:
            continue
        wave.cancel()
        await asyncio.gather(wave, return_exceptions=True)
        assert wave.cancelled()
        scheduler = unlocked(engine)
        while await scheduler.fire_due():
            continue
        await all_paid(client)
