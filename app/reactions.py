"""The reactions that bill, those that run time, and who drives them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from psycopg_pool import AsyncConnectionPool

from aggregates.checkout.events import CheckoutPaymentPending
from aggregates.refund.events import RefundPending
from commands.bus import Bus
from kernel.ports.event_store import Recorded
from kernel.ports.payments import PaymentProvider
from kernel.ports.snapshots import Snapshots
from kernel.tenant import Environment
from projections.due import DueTimers
from projections.positions import Positions
from projections.subscribers import PlanSubscribers
from subscribers import (
    assess_fees,
    authorize_cards,
    collect_payments,
    collect_with_new_methods,
    give_refunds,
    migrate_subscribers,
    reconcile_payments,
)
from subscribers.reacting import Reactor, Tenants
from subscribers.runner import Checkpoints, Reaction, Runner
from subscribers.test_clocks import clear
from subscribers.test_clocks.advance import Advance
from subscribers.test_clocks.inline import Inline
from subscribers.test_clocks.move import MoveTestClocks
from subscribers.timers.firing import Firing
from subscribers.timers.scheduler import Scheduler


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What all reactions of one process share."""

    bus: Bus
    tenants: Tenants
    provider: PaymentProvider
    pool: AsyncConnectionPool[Any]
    views: Positions
    checkpoints: Checkpoints
    snapshots: Snapshots
    environment: Environment

    def reactor(self, name: str) -> Reactor:
        """The one that dispatches under a reaction's name."""
        return Reactor(name, self.bus, self.tenants)

    def runner(self, reaction: Reaction) -> Runner:
        """The one that reads the log for a reaction."""
        return Runner(reaction, self.bus.store, self.checkpoints)


def reactions(around: Surroundings) -> tuple[list[Runner], Scheduler]:
    """All that follows by itself: from facts, and from the time that passes."""
    reconcile = reconcile_payments.ReconcilePayments(
        around.reactor(reconcile_payments.NAME), around.provider
    )
    refunds = give_refunds.GiveRefunds(around.reactor(give_refunds.NAME), around.provider)

    cards = authorize_cards.AuthorizeCards(around.reactor(authorize_cards.NAME), around.provider)

    async def ask(pending: Recorded) -> None:
        """What became of what the provider was silent about."""
        match pending.fact:
            case RefundPending():
                await refunds.look(pending)
            case CheckoutPaymentPending():
                await cards.look(pending)
            case _:
                await reconcile.look(pending)

    deciding = [
        collect_payments.CollectPayments(
            around.reactor(collect_payments.NAME), around.provider
        ).reaction,
        collect_with_new_methods.CollectWithNewMethods(
            around.reactor(collect_with_new_methods.NAME)
        ).reaction,
        cards.reaction,
        reconcile.reaction,
        refunds.reaction,
    ]
    fees = assess_fees.AssessFees(around.reactor(assess_fees.NAME), around.snapshots).reaction
    migrations = migrate_subscribers.MigrateSubscribers(
        around.reactor(migrate_subscribers.NAME), PlanSubscribers(around.pool), around.views
    ).reaction
    inline = Inline(deciding)
    apart = (fees, migrations)
    runners = [around.runner(reaction) for reaction in (*map(inline.shared, deciding), *apart)]
    due = DueTimers(around.pool)
    firing = Firing(around.bus, around.tenants, ask)
    scheduler = Scheduler(due, firing, around.views, around.checkpoints)
    if around.environment is Environment.SANDBOX:
        runners += _test_clocks(around, due, firing, inline, [r.positions for r in runners])
    return runners, scheduler


def _test_clocks(
    around: Surroundings,
    due: DueTimers,
    firing: Firing,
    inline: Inline,
    readers: Sequence[Positions],
) -> list[Runner]:
    move = MoveTestClocks(
        around.bus.store, lambda: Advance(due, firing, inline, around.views, readers)
    )
    cleared = clear.ClearDeletedClocks(around.reactor(clear.NAME), due, around.views)
    return [around.runner(move.reaction), around.runner(cleared.reaction)]
