"""A plan version was published for subscribers too: they move, each once (wire 6.6).

Subscribers are walked in the order of their ids, a page at a time. After each page the log says how
far the walk is and what became of them; a walk that was interrupted goes on there. Of the page it
died in, who has moved is known by the command that moved him, and moves no second time.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from typing import Protocol
from uuid import UUID

from aggregates.plan.events import PlanVersionPublished
from aggregates.plan_migration.decide import Stretch
from aggregates.plan_migration.events import Stay
from aggregates.plan_migration.progress import PLAN_MIGRATION, PlanMigration, migration_of
from aggregates.subscription.changing import ChangePending
from commands.catalog.record_migration_progress import RecordMigrationProgress
from commands.subscriptions.migrate_subscription import MigrateSubscription
from kernel.errors import Invalid, NotFound
from kernel.ports.event_store import Recorded
from projections.positions import Positions
from projections.shown import ViewsBehindError
from subscribers.reacting import Reactor
from subscribers.runner import Reaction


NAME = "migrate_subscribers"
PAGE = 500
AT_ONCE = 16
VIEW_WAIT_SECONDS = 5.0

_log = logging.getLogger(__name__)


class Subscribers(Protocol):
    """Where it is known who has a plan (``projections.subscribers``)."""

    async def of_plan(self, plan: UUID, after: UUID | None, limit: int, at: int) -> list[UUID]:
        """Subscriptions of a plan that have not ended, beyond ``after``, in order of their ids.

        As of a position. Raises ViewsBehindError.
        """


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
        state = await self._reached(fact)
        after, is_over = state.reached, state.finished_at is not None
        while not is_over:
            page = await self._subscribers.of_plan(fact.plan_id, after, PAGE, recorded.position)
            became = await self._move(recorded, page)
            after = await self._keep(recorded, after, page, became)
            is_over = not page

    async def _reached(self, fact: PlanVersionPublished) -> PlanMigration:
        stream = migration_of(fact.plan_id, fact.version)
        return PLAN_MIGRATION.of((await self._reactor.bus.store.load(stream)).facts)

    async def _keep(
        self, recorded: Recorded, after: UUID | None, page: list[UUID], became: list[str | None]
    ) -> UUID | None:
        """Say in the log how far the walk is."""
        fact: PlanVersionPublished = recorded.fact
        stays = Counter(reason for reason in became if reason is not None)
        stretch = Stretch(
            after=after,
            reached=page[-1] if page else None,
            moved=became.count(None),
            stays=tuple(Stay(reason=reason, count=stays[reason]) for reason in sorted(stays)),
        )
        command = RecordMigrationProgress(
            plan_id=fact.plan_id, version=fact.version, stretch=stretch
        )
        await self._reactor.dispatch(recorded, command, "progress", stretch.reached)
        _log.info("plan %s: %s moved, %s stay", fact.plan_id, stretch.moved, stays.total())
        return stretch.reached

    async def _move(self, recorded: Recorded, page: list[UUID]) -> list[str | None]:
        room = asyncio.Semaphore(AT_ONCE)

        async def one(subscription: UUID) -> str | None:
            async with room:
                return await self._migrate(recorded, subscription)

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(subscription)) for subscription in page]
        return [task.result() for task in tasks]

    async def _migrate(self, recorded: Recorded, subscription: UUID) -> str | None:
        """Why it stays as it is; None when it moved, now or before the walk was interrupted."""
        fact: PlanVersionPublished = recorded.fact
        command = MigrateSubscription(
            subscription_id=subscription,
            update_features=fact.update_features,
            update_pricing=fact.update_pricing,
        )
        if await self._reactor.has_dispatched(recorded, subscription):
            return None
        try:
            await self._reactor.dispatch(recorded, command, subscription)
        except (Invalid, NotFound, ChangePending) as refusal:
            _log.info("subscription %s stays: %s", subscription, refusal.code)
            return refusal.code
        return None
