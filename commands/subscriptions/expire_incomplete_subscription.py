"""Nobody paid the first invoice of a subscription in time."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.invoice.state import INVOICE
from aggregates.subscription import decide
from commands.billing.account import account_instant, load_subscription
from commands.billing.changing import keep_portfolio
from commands.billing.collecting import close
from commands.billing.invoicing import invoice_of
from commands.billing.pending_changes import drop_change
from commands.bus import handles
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpireIncompleteSubscription:
    """Due at the ``expires_at`` of an incomplete subscription, or of a change that waits.

    ``early``: at once, for its time does not go on.
    """

    subscription_id: UUID
    early: bool = False


@handles(ExpireIncompleteSubscription)
async def expire_incomplete_subscription(
    work: UnitOfWork, command: ExpireIncompleteSubscription
) -> None:
    """Expire it once; while a payment's outcome is unknown it waits for that."""
    state, account = await load_subscription(work, command.subscription_id)
    waiting = state.pending.invoice_id if state.pending else invoice_of(state.id, state.period)
    invoice = await work.load(INVOICE, waiting)
    if invoice.in_flight is not None:
        return
    at = await account_instant(work, account)
    if state.pending is not None:
        await drop_change(work, state.id, at=at, is_final=command.early)
        await keep_portfolio(work, state.id, at=at)
        return
    facts = decide.expire(state, at=at, early=command.early)
    work.record(state.id, facts)
    if facts:
        await close(work, state, at=at)
