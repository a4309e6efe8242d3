"""Killed between any two statements: every lost step is repeated, nothing is charged twice.

A reaction is killed before it asks the provider, after the provider took the money, or after it
recorded the outcome; the log then delivers the fact again. Timers fire again and again.
"""

import asyncio
import random
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aggregates.invoice.events import Status as InvoiceStatus
from aggregates.subscription.events import Status
from commands.state_cache import StateCache
from kernel.ports.payments import Succeeded
from tests.billing_world import DECLINED, STOLEN, World, at


class KilledError(Exception):
    """The process died here."""


class Mortal:
    """Kills a world at the n-th statement of any reaction or command, then lets it go on."""

    def __init__(self, world, lives):
        self.world = world
        self.lives = lives
        self.statements = 0
        self.is_working = False
        store, provider = world.store, world.provider
        self._wrap(store, "append")
        self._wrap(store, "load")
        self._wrap(provider, "charge")

    def _wrap(self, part, name):
        inner = getattr(part, name)

        async def mortal(*arguments):
            self._live()
            result = await inner(*arguments)
            self._live()
            return result

        setattr(part, name, mortal)

    def _live(self):
        self.statements += self.is_working
        if self.is_working and self.statements in self.lives:
            raise KilledError

    def works(self, step):
        """Do a step until it is done; a new process knows nothing but the log."""
        while True:
            self.is_working = True
            try:
                step()
            except KilledError:
                self.world.bus.cache = StateCache()
            else:
                return
            finally:
                self.is_working = False


def lived(lives, script, card="card"):
    """Half a year of a subscription in a world that is killed at these statements."""
    world = World(at(2025, 1, 31))
    world.monthly("20.00")
    world.provider.say(card, *script)
    world.customer(card=card)
    world.subscribe()
    mortal = Mortal(world, lives)
    while True:
        due, command = min(world.timers(), key=lambda timer: timer[0], default=(None, None))
        if due is None or due > at(2025, 7, 1):
            return world, mortal.statements
        world.clock.at = max(world.clock.at, due)
        mortal.works(partial(world.do, command, react=False))
        mortal.works(world.react)


def summary(world):
    """What must not depend on crashes: money, documents and their states."""
    return (
        world.names(),
        sorted(world.provider.charged.values(), key=lambda money: money.units),
        [world.invoice(invoice.invoice_id).status for invoice in world.invoices()],
        [world.subscription(number).status for number in world.subscriptions()],
    )


SCRIPTS = {
    "pays": (Succeeded(reference="p"),),
    "fails": (Succeeded(reference="p"), DECLINED),
    "recovers": (Succeeded(reference="p"), DECLINED, DECLINED, Succeeded(reference="q")),
    "stolen": (Succeeded(reference="p"), STOLEN),
}


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_killed_once_at_any_statement(script):
    calm, statements = lived(set(), script)
    expected = summary(calm)
    for moment in random.Random(7).sample(range(1, statements + 1), min(40, statements)):
        crashed, _ = lived({moment}, script)
        assert summary(crashed) == expected, f"killed at statement {moment}"


@given(lives=st.sets(st.integers(1, 300), max_size=40))
@settings(max_examples=15, deadline=None)
def test_killed_again_and_again(lives):
    calm, _ = lived(set(), SCRIPTS["recovers"])
    crashed, _ = lived(lives, SCRIPTS["recovers"])
    assert summary(crashed) == summary(calm)


def test_every_fact_delivered_twice_changes_nothing():
    worlds = []
    for twice in (False, True):
        world = World(at(2025, 1, 31))
        world.deliver_twice = twice
        world.monthly("20.00")
        world.provider.say("card", *SCRIPTS["recovers"])
        world.customer(card="card")
        world.subscribe()
        world.to(at(2025, 12, 31))
        worlds.append(summary(world))
    assert worlds[0] == worlds[1]


def test_two_workers_that_fire_the_same_timer_bill_once():
    world = World(at(2025, 1, 31))
    world.monthly("20.00")
    world.customer(card="works")
    world.subscribe()
    world.to(at(2025, 2, 27))
    world.clock.at = at(2025, 2, 28)
    _, command = min(world.timers(), key=lambda timer: timer[0])

    async def race():
        context = world.context(persistent=True)
        other = world.context(persistent=True)
        await asyncio.gather(
            world.bus.dispatch(command, context), world.bus.dispatch(command, other)
        )

    asyncio.run(race())
    world.react()
    assert len(world.invoices()) == 2
    assert world.money_taken() == 4000
    assert world.invoice(world.invoices()[1].invoice_id).status is InvoiceStatus.PAID


def test_outcomes_in_either_order_come_to_the_same():
    """Two attempts of one customer: recorded first to last and last to first."""
    ends = []
    for backwards in (False, True):
        world = World(at(2025, 1, 31))
        world.monthly("20.00")
        world.provider.say("card", Succeeded(reference="p"), DECLINED)
        world.customer(card="card")
        number = world.subscribe()
        world.to(at(2025, 3, 15))
        held, world.reactions = world.reactions, []
        world.card("works")
        facts = world.store.log[world.handled - 1 :]
        world.reactions = held
        for recorded in reversed(facts) if backwards else facts:
            for reaction in held:
                if type(recorded.fact) in reaction.reaction.wants:
                    asyncio.run(reaction.handle(recorded))
        world.react()
        ends.append((world.subscription(number).status, world.money_taken()))
    assert ends[0] == ends[1]
    assert ends[0][0] in {Status.ACTIVE, Status.CANCELED}
