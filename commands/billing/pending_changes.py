"""Changes that wait for their payment: they come about, or leave nothing behind (wire 25)."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from aggregates.order import decide as orders
from aggregates.order.state import ORDER
from aggregates.subscription import changing
from aggregates.subscription.state import SUBSCRIPTION, Subscription
from commands.billing.meeting_debts import give_credit_back
from commands.billing.sources import load_sources, mark_credited
from commands.unit_of_work import UnitOfWork
from kernel.ids import derived_id


def waits_for(state: Subscription, invoice_id: UUID) -> bool:
    """Whether a change of the subscription waits for this invoice to be paid."""
    return state.pending is not None and state.pending.invoice_id == invoice_id


async def complete_change(work: UnitOfWork, state: Subscription, *, at: datetime) -> None:
    """It was paid, also with the credit that waited: that did not become credit, then."""
    if state.pending is None:
        return
    sources = await load_sources(work, state)
    await mark_credited(work, sources, 0, credit_id=state.pending.invoice_id, at=at)
    work.record(state.id, changing.complete(state, at=at))


async def drop_change(
    work: UnitOfWork, subscription_id: UUID, *, at: datetime, is_final: bool = False
) -> bool:
    """Give the waiting change up if its time is over, or at once; whether it was given up."""
    state = await work.load(SUBSCRIPTION, subscription_id)
    facts = changing.expire_change(state, at=at, is_final=is_final)
    work.record(subscription_id, facts)
    if facts:
        await leave_nothing_behind(work, state, at=at)
    return bool(facts)


async def leave_nothing_behind(work: UnitOfWork, before: Subscription, *, at: datetime) -> None:
    """The order of a change that did not come about fails, the balance gets its credit back."""
    if before.pending is None:
        return
    invoice_id = before.pending.invoice_id
    order_id = derived_id(invoice_id, "order")
    order = await work.load(ORDER, order_id)
    work.record(order_id, orders.give_up(order, reason="The change was not paid.", at=at))
    await give_credit_back(work, before.customer, invoice_id, at=at)
