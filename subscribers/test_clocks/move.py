"""A test clock was told to move: it is moved, however often the process dies on the way."""

from __future__ import annotations

from collections.abc import Callable

from aggregates.customer.state import CUSTOMER
from aggregates.subscription.events import SubscriptionActivated, SubscriptionCreated
from aggregates.test_clock.events import TestClockAdvanceStarted
from aggregates.test_clock.state import TEST_CLOCK
from kernel.ports.event_store import EventStore, Recorded
from subscribers.runner import Reaction
from subscribers.test_clocks.advance import Advance, StoppedError, Way


NAME = "move_test_clocks"


class MoveTestClocks:
    """The shell; clocks move side by side.

    Where a subscription began in the past of a standing clock, what it missed is made up for.
    """

    def __init__(self, store: EventStore, advance: Callable[[], Advance]) -> None:
        """``advance`` makes what moves one clock once."""
        self._store = store
        self._advance = advance
        self._moving: set[Advance] = set()
        self._stopping = False

    @property
    def reaction(self) -> Reaction:
        """As the runner drives it."""
        wants = frozenset({TestClockAdvanceStarted, SubscriptionCreated, SubscriptionActivated})
        return Reaction(NAME, wants, self.handle, in_order=False, stop=self.stop)

    def stop(self) -> None:
        """Give up after the steps in hand."""
        self._stopping = True
        for advance in self._moving:
            advance.stop()

    async def handle(self, recorded: Recorded) -> None:
        """Move one clock to where it was told to go. Raises StoppedError."""
        way = await self._way(recorded)
        if way is None:
            return
        if self._stopping:
            raise StoppedError
        advance = self._advance()
        self._moving.add(advance)
        try:
            await advance.run(way)
        finally:
            self._moving.discard(advance)

    async def _way(self, recorded: Recorded) -> Way | None:
        fact = recorded.fact
        if isinstance(fact, TestClockAdvanceStarted):
            clock = TEST_CLOCK.of((await self._store.load(recorded.stream)).facts)
            if clock.target != fact.target:
                return None
            return Way(recorded.stream, recorded.organization, clock.frozen_time, clock.target)
        if fact.period is None or fact.period.end > fact.occurred_at:
            return None
        customer = CUSTOMER.of((await self._store.load(recorded.owner)).facts)
        if customer.test_clock_id is None:
            return None
        clock = TEST_CLOCK.of((await self._store.load(customer.test_clock_id)).facts)
        if clock.target is not None or clock.deleted:
            return None
        return Way(customer.test_clock_id, recorded.organization, clock.frozen_time, None)
