"""What an update would cost, by the very decision that would carry it out (design 7)."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.invoice.decide import Draft
from aggregates.invoice.events import InvoiceCreated
from aggregates.subscription.events import Status
from aggregates.subscription.state import SUBSCRIPTION, Subscription
from commands.billing.invoicing import Bill, prepare
from commands.bus import handles
from commands.subscriptions.update_subscription import UpdateSubscription, updated
from commands.unit_of_work import UnitOfWork
from kernel.errors import NotFound
from kernel.interval import INTERVALS, Period, boundary, period_at
from kernel.money import Money
from kernel.preview_token import sign


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewUpdate:
    """The update to look at."""

    update: UpdateSubscription


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What the update would do to the customer's money.

    ``immediately`` is what would be charged at once, ``recurring`` the price of a period from then
    on. ``next_invoice`` is what its next renewal would bill, None when there will be none.
    """

    preview_id: str
    recurring: Money
    immediately: Money
    next_invoice: Draft | None


@handles(PreviewUpdate)
async def preview_update(work: UnitOfWork, command: PreviewUpdate) -> Preview:
    """To be run by ``Bus.preview`` alone: the facts it records are thrown away."""
    decided = await updated(work, command.update)
    token = sign(work.tenant.secret, command.update.subject, decided)
    return await shown(work, command.update.subscription_id, token)


async def shown(work: UnitOfWork, subscription_id: UUID, preview_id: str) -> Preview:
    """What the facts recorded so far would do to the customer's money."""
    state = await work.load(SUBSCRIPTION, subscription_id)
    if state.contract is None:
        raise NotFound
    currency = state.contract.amount.currency
    issued = [new.fact for new in work.facts if isinstance(new.fact, InvoiceCreated)]
    pending = state.pending.contract if state.pending else state.contract
    return Preview(
        preview_id=preview_id,
        recurring=pending.amount,
        immediately=Money(sum(fact.balance.due.units for fact in issued), currency),
        next_invoice=await _next_invoice(work, state),
    )


async def _next_invoice(work: UnitOfWork, state: Subscription) -> Draft | None:
    period = _next_period(state)
    if period is None or state.contract is None:
        return None
    return await prepare(
        work,
        Bill(
            subscription_id=state.id,
            customer=state.customer,
            contract=state.contract,
            contract_version=state.contract_version,
            period=period,
            is_renewal=state.status is not Status.TRIALING,
            carried=state.deferred,
            spares_balance=state.own_card is not None,
        ),
    )


def _next_period(state: Subscription) -> Period | None:
    """The period after the present one, unless the subscription ends by then."""
    interval = None if state.contract is None else INTERVALS.get(state.contract.terms.period)
    if state.period is None or interval is None:
        return None
    start = state.period.end
    if state.ending is not None and state.ending.ends_at <= start:
        return None
    if state.status is Status.TRIALING:
        return Period(start, boundary(start, interval, 1))
    return period_at(state.anchor, interval, start)[1]
