"""A renewal wave: many subscriptions due at once, until all are paid and in all views."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

from app.bench.http import CARD, PLAN, call, prepare_catalog
from app.bench.report import Row
from app.bench.servers import Served, up


START = datetime(2026, 1, 1, tzinfo=UTC)
MONTH = timedelta(days=31)
SUBSCRIPTIONS_PER_SECOND = 100
"""How many are made ready per second that the benchmark may take."""

SIDE_BY_SIDE = 16
YEARS = 10


def measure(seconds: float) -> Iterator[Row]:
    """One wave over all customers of a clock; ten years of one customer on another."""
    with up() as served:
        prepare_catalog(served)
        number = int(SUBSCRIPTIONS_PER_SECOND * seconds)
        clock = _populate(served, number)
        took = _advance(served, clock, START + MONTH)
        yield Row(
            name="renewal wave",
            unit="subscriptions/s",
            measured=number / took,
            more={"subscriptions": number},
        )
        clock = _populate(served, 1)
        took = _advance(served, clock, START.replace(year=START.year + YEARS))
        yield Row(
            name="ten years of one monthly subscription",
            unit="lives/s",
            measured=1 / took,
            more={"ms": took * 1e3},
        )


def _populate(served: Served, number: int) -> str:
    """A clock with that many customers, each with a card and a monthly subscription."""
    body = {"name": "bench", "frozenTime": START.isoformat()}
    clock: str = call(served, "/test-clocks/", body)["id"]
    names = [f"{clock}-{n}" for n in range(number)]
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        list(pool.map(lambda name: _begin(served, name, clock), names))
    return clock


def _begin(served: Served, name: str, clock: str) -> None:
    call(served, "/customers/", {"customerId": name, "testClockId": clock})
    call(served, "/payment-methods/", {"customerId": name, "token": CARD, "isDefault": True})
    sold = {"planIdentifier": PLAN, "chargePeriod": "MONTHLY", "customerId": name}
    call(served, "/subscriptions/create/", sold)


def _advance(served: Served, clock: str, to: datetime) -> float:
    began = time.perf_counter()
    call(served, f"/test-clocks/{clock}/advance/", {"frozenTime": to.isoformat()})
    return time.perf_counter() - began
