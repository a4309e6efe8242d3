"""The same lives over HTTP and PostgreSQL, each on a test clock."""

import random
from datetime import UTC, datetime, timedelta

import pytest

from tests.engines import running
from tests.oracle import invariants
from tests.oracle.ledger import Ledger
from tests.oracle.lives import BEHAVIORS, can_be_predicted
from tests.oracle.offers import OFFERS
from tests.oracle.over_http import OverHttp, load_catalog
from tests.oracle.steps import Cancel, Card, Pause, Reactivate, Resume, Subscribe, Until, Update
from tests.oracle.views import books_of, differences


pytestmark = pytest.mark.anyio

CARDS = "works works-de declined stolen authenticate recovers-1 recovers-2 recovers-4".split()
MONTH_ENDS = [(2020, 1, 31), (2020, 2, 29), (2021, 2, 28), (2021, 10, 30), (2020, 12, 31)]


def a_step(chance, ledger):
    """Something that may happen next."""
    waits = [
        timedelta(days=1, seconds=7),
        timedelta(days=31),
        timedelta(seconds=chance.randrange(3_888_000)),
    ]
    due = [timer[0] for timer in ledger.due()[:1] if timer[0] < ledger.now + timedelta(days=370)]
    wait = Until(chance.choice([*due, *(ledger.now + span for span in waits)]))
    if not ledger.subs:
        sold = chance.choice(OFFERS)
        seats = chance.randint(1, 40) if sold.seat else None
        return Subscribe(sold.plan, sold.period, sold.currency, seats)
    sub = ledger.subs[-1]
    steps = [wait, wait, wait, Card(chance.choice(CARDS)), Reactivate(0), Pause(0, 1), Resume(0)]
    kind = chance.choice(["IMMEDIATE", "CURRENT_PERIOD_ENDS"])
    steps.append(Cancel(0, kind, credit=kind == "IMMEDIATE" and chance.random() < 0.7))
    if can_be_predicted(sub):
        new = chance.choice([offer for offer in OFFERS if offer.recurs])
        seats = chance.randint(1, 40) if new.seat else None
        change = Update(0, new.plan, new.period, seats, chance.choice(BEHAVIORS))
        steps += [change, change]
    return chance.choice(steps)


def told(ledger):
    """What a client can read of a ledger."""
    books = books_of(ledger)
    for sub in books["subscriptions"]:
        for hidden in ("ends", "retry", "give_up"):
            del sub[hidden]
    return books


async def live(client, seed, processed):
    chance = random.Random(seed)
    start = datetime(*chance.choice(MONTH_ENDS), chance.randrange(24), 5, 9, tzinfo=UTC)
    ledger, engine = Ledger(start), OverHttp(client, start)
    ledger.books.processed = processed
    await engine.begin()
    steps = []
    for _ in range(8):
        steps.append(a_step(chance, ledger) if steps else Card(chance.choice(CARDS[:2] + CARDS)))
        accepted = ledger.do(steps[-1])
        found = await engine.do(steps[-1]) is accepted and await engine.books()
        wrong = differences(told(ledger), found) if found else f"oracle: {accepted}"
        assert not wrong, f"seed {seed}: {wrong}\nkeep: ({start!r}, {steps!r})"
    invariants.check(books_of(ledger))


@pytest.mark.timeout(600)
async def test_random_lives_over_http(database_url, lives_over_http):
    first = random.randrange(10**6)
    async with running(database_url) as (_, client):
        await load_catalog(client)
        processed = {}
        for seed in range(first, first + lives_over_http):
            await live(client, seed, processed)
