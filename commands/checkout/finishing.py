"""Something was bought: the session ends before its subscription begins (wire 27.4)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from aggregates.checkout import decide
from aggregates.checkout.decide import Purchase
from aggregates.checkout.events import CheckoutPaymentStarted
from aggregates.checkout.state import CHECKOUT, Checkout
from aggregates.payment_method import decide as methods
from aggregates.payment_method.decide import TooManyPaymentMethods
from aggregates.payment_method.state import FOLD as PAYMENT_METHODS
from aggregates.payment_method.state import payment_methods_of
from aggregates.subscription import decide as subscriptions
from aggregates.subscription.events import OwnCard
from aggregates.subscription.state import SUBSCRIPTION
from commands.billing.collecting import close
from commands.billing.invoicing import claim_number, trial_order_of
from commands.billing.selling import Deal, conclude, join_portfolio
from commands.billing.words import sale_of
from commands.checkout.visit import Visit
from commands.unit_of_work import UnitOfWork
from kernel.money import Money
from kernel.sale import Totals


async def finish(
    work: UnitOfWork,
    visit: Visit,
    deal: Deal,
    *,
    attempt: int,
    paid_by: CheckoutPaymentStarted | None,
    at: datetime,
) -> None:
    """Nothing is due now: the session is complete with its sale."""
    if paid_by is not None:
        deal = paid_with(visit, deal, paid_by)
    order_id = _order_of(deal)
    nothing = Money(0, deal.start.contract.terms.currency)
    free = Totals(subtotal=nothing, discount=nothing, tax=nothing, total=nothing)
    purchase = Purchase(
        attempt=attempt,
        sale=sale_of(deal.subscription_id, visit.account.id, deal.start.contract),
        totals=free if deal.draft is None else deal.draft.totals,
        order_id=order_id,
        order_number=claim_number(work, "ORD", order_id, at),
        invoice_id=None if deal.draft is None else deal.draft.invoice_id,
        method=None if paid_by is None else paid_by.method,
    )
    await end_session(work, visit.id, purchase, at=at)
    await save_card(work, visit.state, paid_by, at=at)
    await conclude(work, deal, at=at)
    await join_portfolio(work, deal, at=at)


def paid_with(visit: Visit, deal: Deal, started: CheckoutPaymentStarted) -> Deal:
    """The deal with its way to pay; that of a stranger is the sale's own (see ``is_trusted``)."""
    own = None
    if not visit.state.is_trusted and started.card is not None:
        own = OwnCard(
            method_id=started.method.id,
            provider=started.provider,
            reference=started.reference,
            instrument=started.card.instrument,
        )
    start = replace(deal.start, payment_method=started.method.id, own_card=own)
    return replace(deal, start=start)


async def end_session(work: UnitOfWork, session: UUID, purchase: Purchase, *, at: datetime) -> None:
    """Say that it is complete, once."""
    state = await work.load(CHECKOUT, session)
    work.record(session, decide.complete(state, purchase, at=at))


async def save_card(
    work: UnitOfWork, session: Checkout, started: CheckoutPaymentStarted | None, *, at: datetime
) -> None:
    """Keep the card that was entered, for what comes; a customer who has too many keeps those.

    A stranger's card is not the customer's.
    """
    if started is None or started.card is None or not session.is_trusted:
        return
    customer = session.customer
    stream = payment_methods_of(customer)
    state = await work.load(PAYMENT_METHODS, stream)
    try:
        facts = methods.add(
            state,
            customer_id=customer,
            method_id=started.method.id,
            provider=started.provider,
            saved=started.card,
            make_default=False,
            at=at,
        )
    except TooManyPaymentMethods:
        return
    work.record(stream, facts, owner=customer)


async def give_up_sale(work: UnitOfWork, subscription_id: UUID, *, at: datetime) -> None:
    """What was not paid never came about: its order failed, its invoice is withdrawn."""
    before = await work.load(SUBSCRIPTION, subscription_id)
    facts = subscriptions.refuse_charge(before, at=at)
    work.record(subscription_id, facts)
    if facts:
        await close(work, before, at=at)


def _order_of(deal: Deal) -> UUID:
    if deal.draft is None or deal.draft.order_id is None:
        return trial_order_of(deal.subscription_id)
    return deal.draft.order_id
