"""Fees by volume: in the order of the log, however payments are delivered."""

import asyncio
import random

from aggregates.invoice.events import InvoicePaid
from aggregates.transaction.events import FeeName, TransactionSucceeded
from kernel.interval import ChargePeriod
from subscribers.assess_fees import AssessFees
from subscribers.reacting import Reactor
from tests import catalog_builders as catalog
from tests.billing_world import Tenants, World, at


def world_with_payments(count=8, amount="1000.00", **fields):
    """Payments that were not booked yet."""
    world = World(at(2025, 1, 1), **fields)
    world.reactions = world.reactions[:2]
    once = catalog.price(catalog.row(catalog.charge(amount, ChargePeriod.ONE_TIME)))
    world.plan("once", once)
    world.customer(card="works")
    for _ in range(count):
        world.subscribe("once", period=ChargePeriod.ONE_TIME)
    return world


def fees(world, *snapshots):
    return AssessFees(Reactor("assess_fees", world.bus, Tenants(world.tenant)), *snapshots)


def paid(world):
    return [recorded for recorded in world.store.log if isinstance(recorded.fact, InvoicePaid)]


def base_rates(world):
    """The base rate of each payment, in the order of the payments."""
    booked = {t.payment.invoice_id: t for t in world.facts(TransactionSucceeded)}
    rates = []
    for recorded in paid(world):
        parts = booked[recorded.fact.invoice_id].components
        rates.append(next(p.percentage for p in parts if p.name is FeeName.BASE))
    return rates


EXPECTED = ["2.9"] * 5 + ["3.5"] * 3


def test_the_rate_changes_once_five_thousand_were_processed():
    world = world_with_payments()
    reaction = fees(world)
    for recorded in paid(world):
        asyncio.run(reaction.handle(recorded))
    assert base_rates(world) == EXPECTED


def test_side_by_side_and_in_any_order():
    world = world_with_payments()
    reaction = fees(world)

    async def all_at_once():
        shuffled = random.Random(3).sample(paid(world), 8)
        await asyncio.gather(*(reaction.handle(recorded) for recorded in shuffled))

    asyncio.run(all_at_once())
    assert base_rates(world) == EXPECTED


def test_after_a_restart_in_the_middle_and_with_facts_twice():
    world = world_with_payments()
    first = fees(world)
    for recorded in paid(world)[:4]:
        asyncio.run(first.handle(recorded))
    second = fees(world)
    for recorded in [*paid(world)[2:], *paid(world)]:
        asyncio.run(second.handle(recorded))
    assert base_rates(world) == EXPECTED
    assert len(world.facts(TransactionSucceeded)) == 8


class Kept:
    """Snapshots in memory: the newest two."""

    def __init__(self):
        self.kept = []

    async def before(self, name, position):
        assert name == "assess_fees"
        return next((one for one in self.kept if one.position < position), None)

    async def save(self, name, snapshot):
        assert name == "assess_fees"
        self.kept = [snapshot, *self.kept][:2]


def test_after_a_restart_only_what_came_after_the_snapshot_is_read(monkeypatch):
    monkeypatch.setattr("subscribers.assess_fees.PAGE", 4)
    monkeypatch.setattr("subscribers.assess_fees.SNAPSHOT", 6)
    world, snapshots = world_with_payments(), Kept()
    first = fees(world, snapshots)
    for recorded in paid(world)[:4]:
        asyncio.run(first.handle(recorded))
    newest, older = snapshots.kept
    assert older.position < newest.position
    read, begun = world.store.read, []

    async def reading(after, limit):
        begun.append(after)
        return await read(after, limit)

    monkeypatch.setattr(world.store, "read", reading)
    second = fees(world, snapshots)
    for recorded in [*paid(world)[3:], *paid(world)]:
        asyncio.run(second.handle(recorded))
    assert begun[0] in {newest.position, older.position}
    assert base_rates(world) == EXPECTED
    assert len(world.facts(TransactionSucceeded)) == 8


def test_without_a_merchant_of_record_nothing_is_taken():
    world = world_with_payments(1, merchant_of_record=False)
    asyncio.run(fees(world).handle(paid(world)[0]))
    (booked,) = world.facts(TransactionSucceeded)
    assert (booked.fee.units, booked.components) == (0, ())
    assert booked.net == booked.payment.amount
    assert str(booked.available_on) == "2025-01-08"
