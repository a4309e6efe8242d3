"""A plan version was published for subscribers too: they move, each once (wire 6.6).

Subscribers are walked in the order of their ids, a page at a time. Whoever has moved is refused
from then on, so a walk that was interrupted begins again and moves nobody twice.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Protocol
from uuid import UUID

from aggregates.plan.events import PlanVersionPublished
from aggregates.subscription.changing import ChangePending
from commands.subscriptions.migrate_subscription import MigrateSubscription
from kernel.errors import Invalid, NotFound
from kernel.ports.event_store import Recorded
from projections.positions import Positions
from subscribers.reacting import Reactor
from subscribers.runner import Reaction


NAME = "migrate_subscribers"
PAGE = 500
AT_ONCE = 16
VIEW_WAIT_SECONDS = 5.0

_log = logging.getLogger(__name__)


class Subscribers(Protocol):
    """Where it is known who has a plan (``projections.subscribers``)."""

    async def of_plan(self, plan: UUID, after: UUID | None, limit: int) -> list[UUID]:
        """Running subscriptions of a plan with ids beyond ``after``, in their order."""


class ViewsBehindError(Exception):
    """It is not known yet who has the plan; tried again."""


class MigrateSubscribers:
    """The shell; whoever subscribes after the publication has the new version already."""

    def __init__(self, reactor: Reactor, subscribers: Subscribers, views: Positions) -> None:
        """``reactor`` carries this reaction's name."""
        self._reactor = reactor
        self._subscribers = subscribers
        self._views = views

    @property
    def reaction(self) -> Reaction:
        """As the runner drives it."""
        return Reaction(NAME, frozenset({PlanVersionPublished}), self.handle)

    async def handle(self, recorded: Recorded) -> None:
        """Move all subscribers of the plan, if the publication asks for it."""
        fact: PlanVersionPublished = recorded.fact
        if not (fact.update_features or fact.update_pricing):
            return
        if not await self._views.wait(recorded.position, VIEW_WAIT_SECONDS):
            raise ViewsBehindError
        after, moved, left = None, 0, 0
        while page := await self._subscribers.of_plan(fact.plan_id, after, PAGE):
            came = await self._move(recorded, page)
            after, moved, left = page[-1], moved + sum(came), left + len(came) - sum(came)
            _log.info("plan %s: %s subscribers moved, %s stay", fact.plan_id, moved, left)

    async def _move(self, recorded: Recorded, page: list[UUID]) -> list[bool]:
        room = asyncio.Semaphore(AT_ONCE)

        async def one(subscription: UUID) -> bool:
            async with room:
                return await self._migrate(recorded, subscription)

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(subscription)) for subscription in page]
        return [task.result() for task in tasks]

    async def _migrate(self, recorded: Recorded, subscription: UUID) -> bool:
        """Whether it moved; one that cannot, or has moved already, stays as it is."""
        fact: PlanVersionPublished = recorded.fact
        command = MigrateSubscription(
            subscription_id=subscription,
            update_features=fact.update_features,
            update_pricing=fact.update_pricing,
        )
        try:
            await self._reactor.dispatch(recorded, command, subscription)
        except (Invalid, NotFound, ChangePending) as refusal:
            _log.info("subscription %s stays: %s", subscription, refusal.code)
            return False
        return True
