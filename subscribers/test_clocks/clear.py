"""A test clock was deleted: what lives on it is canceled (design 6)."""

from __future__ import annotations

import asyncio
from typing import Any, Protocol
from uuid import UUID

from aggregates.portfolio.state import PORTFOLIO, portfolio_id
from aggregates.subscription.ending import Cancellation, NothingToCancel, SubscriptionAlreadyEnded
from aggregates.subscription.events import CancellationType
from aggregates.test_clock.events import TestClockDeleted
from commands.checkout.expire_checkout import ExpireCheckout
from commands.subscriptions.cancel_subscription import CancelSubscription
from commands.subscriptions.expire_incomplete_subscription import ExpireIncompleteSubscription
from commands.test_clocks.clear_test_clock import ClearTestClock
from kernel.ports.event_store import Recorded
from projections.positions import Positions
from projections.shown import ViewsBehindError
from subscribers.reacting import Reactor
from subscribers.runner import Reaction


NAME = "clear_deleted_clocks"
AT_ONCE = 32
VIEW_WAIT_SECONDS = 5.0


class Inhabitants(Protocol):
    """Where it is known who lives on a clock (``projections.due``)."""

    async def customers_on(self, clock: UUID, at: int) -> list[UUID]:
        """The customers of a clock as of a position. Raises ViewsBehindError."""

    async def checkouts_on(self, clock: UUID, at: int) -> list[UUID]:
        """The checkout sessions on it that are not over, likewise."""


class ClearDeletedClocks:
    """The shell; a clock takes no new customers once it is deleted, so one look is enough."""

    def __init__(self, reactor: Reactor, inhabitants: Inhabitants, views: Positions) -> None:
        """``reactor`` carries this reaction's name."""
        self._reactor = reactor
        self._inhabitants = inhabitants
        self._views = views

    @property
    def reaction(self) -> Reaction:
        """As the runner drives it."""
        return Reaction(NAME, frozenset({TestClockDeleted}), self.handle, in_order=False)

    async def handle(self, recorded: Recorded) -> None:
        """End all subscriptions and checkouts on the clock, then say that it is done."""
        if not await self._views.wait(recorded.position, VIEW_WAIT_SECONDS):
            raise ViewsBehindError
        room = asyncio.Semaphore(AT_ONCE)

        async def one(customer: UUID) -> None:
            async with room:
                await self._cancel_all(recorded, customer)

        async def expire(session: UUID) -> None:
            async with room:
                gone = ExpireCheckout(session=session, early=True)
                await self._reactor.dispatch(recorded, gone, session)

        async with asyncio.TaskGroup() as group:
            at = recorded.position
            for session in await self._inhabitants.checkouts_on(recorded.stream, at):
                group.create_task(expire(session))
            for customer in await self._inhabitants.customers_on(recorded.stream, at):
                group.create_task(one(customer))
        await self._reactor.dispatch(recorded, ClearTestClock(test_clock_id=recorded.stream))

    async def _cancel_all(self, recorded: Recorded, customer: UUID) -> None:
        history = await self._reactor.bus.store.load(portfolio_id(customer))
        for subscription in PORTFOLIO.of(history.facts).open:
            wish = Cancellation(type=CancellationType.IMMEDIATE)
            command: Any = CancelSubscription(subscription_id=subscription, wish=wish)
            try:
                await self._reactor.dispatch(recorded, command, subscription)
            except SubscriptionAlreadyEnded:
                continue
            except NothingToCancel:  # what does not recur, and waits for its payment
                command = ExpireIncompleteSubscription(subscription_id=subscription, early=True)
                await self._reactor.dispatch(recorded, command, subscription, "waiting")
