"""Carries a change of a subscription out: facts, invoice or deferred lines, collection."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from aggregates.invoice.decide import Draft
from aggregates.portfolio.events import PortfolioSubscriptionOpened
from aggregates.portfolio.state import PORTFOLIO, portfolio_id
from aggregates.subscription import changing, ending
from aggregates.subscription.changing import Charging, Step, TrialIsOver
from aggregates.subscription.contract import Contract
from aggregates.subscription.events import Status
from aggregates.subscription.offs import offs_for
from aggregates.subscription.state import SUBSCRIPTION, Subscription
from commands.billing.account import Account
from commands.billing.collecting import attempt, collect_or_credit, leave_portfolio
from commands.billing.invoicing import Bill, issue, order_trial, prepare
from commands.billing.licensing import has_ordered
from commands.billing.prorating import Rest, Worth, changed_lines, unused_lines
from commands.billing.renewing import convert_trial
from commands.billing.sources import Sources, load_sources, mark_credited, within
from commands.unit_of_work import UnitOfWork
from kernel.ids import derived_id
from kernel.lines import InvoiceLine, LineOrigin
from kernel.settings import ProrationBehavior


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a subscription is to become.

    ``trial_ends_at`` None leaves the trial alone, ``ends_trial`` ends it now. ``waits``: what has
    to be paid for it is paid first.
    """

    contract: Contract
    behavior: ProrationBehavior
    trial_ends_at: datetime | None = None
    ends_trial: bool = False
    waits: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Due:
    """What has to be paid before a change holds."""

    bill: Bill
    draft: Draft
    taken: Step


async def carry_out(
    work: UnitOfWork, account: Account, subscription_id: UUID, wish: Wish, *, at: datetime
) -> None:
    """Change it now, or let the change wait for its payment; the same again changes nothing."""
    state = await work.load(SUBSCRIPTION, subscription_id)
    if state.status is Status.TRIALING and wish.trial_ends_at is not None:
        work.record(state.id, changing.move_trial(state, wish.trial_ends_at, at=at))
        state = await work.load(SUBSCRIPTION, subscription_id)
        wish = replace(wish, trial_ends_at=None)
    if wish.contract != state.contract:
        await _change(work, account, state, wish, at)
    elif wish.trial_ends_at is not None:
        raise TrialIsOver
    if wish.ends_trial:
        await convert_trial(work, account, subscription_id, at=at, is_early=True)
    await keep_end(work, subscription_id, at=at)


async def keep_end(work: UnitOfWork, subscription_id: UUID, *, at: datetime) -> None:
    """What was to end with its period ends with the period that it has now."""
    state = await work.load(SUBSCRIPTION, subscription_id)
    work.record(subscription_id, ending.follow_period(state, at=at))


async def _change(
    work: UnitOfWork, account: Account, state: Subscription, wish: Wish, at: datetime
) -> None:
    taken = changing.step(
        state, wish.contract, wish.behavior, trial_ends_at=wish.trial_ends_at, at=at
    )
    sources = await load_sources(work, state)
    bill, back = await within(work, _bill(state, taken, sources, at), sources)
    invoice_id: UUID | None = None
    if taken.defers or not _is_due(bill, state, taken):
        waits = changing.change(state, taken, deferred=bill.carried, credited_ahead=back, at=at)
        work.record(state.id, waits)
    else:
        draft = await prepare(work, bill)
        if wish.waits and not draft.is_paid:
            due = _Due(bill=bill, draft=draft, taken=taken)
            await _let_wait(work, account, state, due, at)
            return
        invoice_id = draft.invoice_id
        work.record(state.id, changing.change(state, taken, invoice_id=invoice_id, at=at))
        await issue(work, bill, draft, at=at)
        await collect_or_credit(work, account, state, draft, at=at)
    await mark_credited(work, sources, back, credit_id=invoice_id, at=at)
    await keep_portfolio(work, state.id, at=at)
    if taken.trial is not None:
        await order_trial(work, bill, at=at)


def _is_due(bill: Bill, state: Subscription, taken: Step) -> bool:
    """Something is billed at once: a new period, the rest of one, or what no other will settle."""
    is_last = taken.period is None and bool(bill.carried)
    return bill.is_whole or bill.carried != state.deferred or is_last


def _bill(state: Subscription, taken: Step, sources: Sources, at: datetime) -> Bill:
    """What the change bills with all that waited, by the number of the fact that records it."""
    number = state.version + 1
    return Bill(
        subscription_id=state.id,
        customer=state.customer,
        contract=_billed_contract(state, taken),
        contract_version=number,
        period=taken.period or state.period,
        carried=(*state.deferred, *_lines(state, taken, sources, at)),
        is_whole=taken.charging is Charging.WHOLE,
        change=number,
        is_first=not has_ordered(state),
        spares_balance=state.own_card is not None,
    )


def _billed_contract(state: Subscription, taken: Step) -> Contract:
    """What an invoice of the change is about: where nothing recurs any more, what did before."""
    recurred = state.contract if state.period is not None and taken.period is None else None
    return recurred or taken.contract


def _lines(
    state: Subscription, taken: Step, sources: Sources, at: datetime
) -> tuple[InvoiceLine, ...]:
    """Paused time does not count; a credit is taxed as what it credits was, line by line."""
    if not taken.credits or state.period is None or state.billed is None:
        return ()
    counted = state.counted(at)
    offs = offs_for(state, counted)
    old = Worth(
        contract=state.billed,
        origin=LineOrigin(state.id, state.billed_version),
        offs=offs,
        parts=sources.parts(line.feature for line in state.billed.terms.lines),
    )
    rest = Rest(period=state.period, at=counted, pauses=state.pauses)
    if taken.charging is not Charging.REST:
        return unused_lines(old, rest)
    origin = LineOrigin(state.id, state.version + 1)
    return changed_lines(old, Worth(contract=taken.contract, origin=origin, offs=offs), rest)


async def _let_wait(
    work: UnitOfWork, account: Account, state: Subscription, due: _Due, at: datetime
) -> None:
    invoice_id = due.draft.invoice_id
    change_id = derived_id(state.id, "change", due.bill.contract_version)
    facts = changing.request(state, due.taken, change_id=change_id, invoice_id=invoice_id, at=at)
    work.record(state.id, facts)
    await issue(work, due.bill, due.draft, at=at)
    method = account.method_for(state)
    if method is not None:
        await attempt(work, invoice_id, method, at=at)
    await keep_portfolio(work, state.id, at=at)


async def keep_portfolio(work: UnitOfWork, subscription_id: UUID, *, at: datetime) -> None:
    """What recurs since a change has not ended; what no longer does leaves the portfolio.

    What waits for its payment or is overdue is in it, too: a new method is tried on all there is.
    """
    state = await work.load(SUBSCRIPTION, subscription_id)
    if state.period is None and state.pending is None and state.dunning is None:
        await leave_portfolio(work, state, at=at)
        return
    stream = portfolio_id(state.customer)
    portfolio = await work.load(PORTFOLIO, stream)
    if state.contract is None or state.id in portfolio.open:
        return
    opened = PortfolioSubscriptionOpened(
        subscription_id=state.id, product_id=state.contract.terms.product.id, occurred_at=at
    )
    work.record(stream, [opened], owner=state.customer)
