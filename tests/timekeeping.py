"""The billing core in memory with its real timers view, scheduler and test clocks."""

import asyncio
from collections import Counter

from aggregates.subscription.events import SubscriptionRenewed
from aggregates.test_clock.events import TestClockAdvanceFinished
from aggregates.test_clock.state import TEST_CLOCK
from commands.test_clocks.advance_test_clock import AdvanceTestClock
from commands.test_clocks.create_test_clock import CreateTestClock
from kernel.ids import derived_id
from projections import customers, test_clocks, timers
from projections.engine import Pass
from projections.positions import Positions
from projections.timers import TIMERS, timer_of
from subscribers.reacting import Reactor
from subscribers.reconcile_payments import ReconcilePayments
from subscribers.test_clocks.advance import Advance
from subscribers.test_clocks.inline import Inline
from subscribers.test_clocks.move import MoveTestClocks
from subscribers.timers.firing import Firing
from subscribers.timers.scheduler import Scheduler
from tests.billing_world import Tenants, World, at
from tests.memory_store import MemoryStore


class WatchedStore(MemoryStore):
    """Tells after each append, and dies on request: before the ``n``-th append from now."""

    def __init__(self):
        super().__init__()
        self.listeners = []
        self.dies_in = None

    async def append(self, command):
        await asyncio.sleep(0)
        if self.dies_in is not None:
            self.dies_in -= 1
            if self.dies_in < 0:
                raise Killed
        receipt = await super().append(command)
        for listener in self.listeners:
            listener()
        return receipt


class Killed(BaseException):
    """The process is gone."""


class MemoryViews:
    """The views that time needs, in step with the log, or behind it while ``frozen``."""

    def __init__(self, store):
        self.store = store
        self.positions = Positions()
        self.positions.reached(0)
        self.frozen = False
        self.view = Pass((customers.view, test_clocks.view, timers.view), capacity=None)
        store.listeners.append(self.catch_up)

    def catch_up(self):
        if self.frozen:
            return
        batch = self.store.log[self.positions.position :]
        for name, keys in self.view.missing(batch).items():
            for key in keys:
                self.view.documents.learn(self.view.tables[name], key, None)
        self.view.apply(batch)
        self.view.documents.flushed()
        self.positions.reached(len(self.store.log))

    def docs(self, table):
        known = self.view.documents._of(table)
        return {key: doc for key, doc in known.items() if doc is not None}

    def all(self):
        found = [timer_of(key, doc) for key, doc in self.docs(TIMERS).items()]
        return sorted(found, key=lambda timer: timer.order)

    async def by_wall_clock(self, after, limit):
        await asyncio.sleep(0)
        found = [t for t in self.all() if t.is_real_time and (not after or t.order > after.order)]
        return found[:limit]

    async def on_test_clock(self, clock, until, at):
        assert 0 < at <= self.positions.position
        return [
            timer
            for timer in self.all()
            if timer.test_clock == clock and timer.due_at <= until and not timer.is_real_time
        ]


class FreeLock:
    """Checkpoints of a single process."""

    async def acquire(self, _name):
        return 0

    async def save(self, _name, _position):
        pass

    async def release(self, _name):
        pass


class TimedWorld(World):
    """A World whose timers are run by the real scheduler, or by test clocks."""

    def __init__(self, now=None, **fields):
        super().__init__(now, **fields)
        self.store = self.bus.store = self._watched()
        self.views = MemoryViews(self.store)
        self.tenants = Tenants(self.tenant)
        self.asked = []

    def _watched(self):
        store = WatchedStore()
        store.__dict__.update(self.store.__dict__ | {"listeners": [], "dies_in": None})
        return store

    def firing(self):
        reactor = Reactor("reconcile_payments", self.bus, self.tenants)
        reconcile = ReconcilePayments(reactor, self.provider)

        async def ask(recorded):
            self.asked.append(recorded)
            await reconcile.look(recorded)

        return Firing(self.bus, self.tenants, ask)

    def scheduler(self, monotonic=lambda: 0.0):
        return Scheduler(
            self.views, self.firing(), self.views.positions, FreeLock(), monotonic=monotonic
        )

    # Test clocks

    def test_clock(self, frozen_time):
        clock = derived_id(self.tenant.organization, "clock", len(self.store.log))
        self.do(CreateTestClock(test_clock_id=clock, name=None, frozen_time=frozen_time))
        return clock

    def advancing(self):
        inline = Inline([reaction.reaction for reaction in self.reactions])
        return Advance(self.views, self.firing(), inline, self.views.positions)

    def start(self, clock, target):
        self.do(AdvanceTestClock(test_clock_id=clock, target=target))

    def finish(self, clock):
        """Move a clock that has started, as its reaction does."""
        asyncio.run(self.move(clock))

    async def move(self, clock):
        mover = MoveTestClocks(self.store, self.advancing)
        for recorded in [r for r in self.store.log if r.stream == clock]:
            if type(recorded.fact) in mover.reaction.wants:
                await mover.handle(recorded)

    def advance(self, clock, target):
        self.start(clock, target)
        self.finish(clock)
        assert self.state(TEST_CLOCK, clock).frozen_time == target
        assert self.facts(TestClockAdvanceFinished)

    # Real time

    def pass_time(self, instant):
        """The clock on the wall jumps (or was not looked at for as long), then all is made up."""
        self.clock.at = instant
        scheduler = self.scheduler()

        async def until_done():
            while await scheduler.fire_due():
                await asyncio.to_thread(self.react)

        asyncio.run(until_done())

    def renewals(self, subscription=None):
        return [
            fact.period.start
            for fact in self.facts(SubscriptionRenewed)
            if subscription in {None, fact.subscription_id}
        ]


def once_each(found):
    return not [item for item, times in Counter(found).items() if times > 1]


__all__ = ["Killed", "TimedWorld", "at", "once_each"]
