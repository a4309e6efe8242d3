"""Sells a plan to a customer: the one path of every sale, with or without checkout.

``draw_up`` works everything out and records nothing, ``conclude`` records it; what a sale is part
of can so be told before it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from aggregates.discount.state import DISCOUNT
from aggregates.invoice.decide import Draft
from aggregates.portfolio.events import PortfolioSubscriptionOpened
from aggregates.portfolio.state import PORTFOLIO, portfolio_id
from aggregates.subscription import decide
from aggregates.subscription.contract import Contract
from aggregates.subscription.decide import Start
from aggregates.subscription.events import Status
from aggregates.subscription.state import SUBSCRIPTION
from commands.billing.account import Account, load_balance
from commands.billing.invoicing import Bill, issue, order_trial, prepare
from commands.discounts.create_discount import discount_of
from commands.discounts.redeeming import Redemption, record_redemption, redemption_of
from commands.plan_terms import Wanted, plan_terms
from commands.unit_of_work import UnitOfWork
from kernel.errors import Conflict, Invalid
from kernel.offer import OfferTerms


class UnknownCustomer(Invalid):
    """There is no customer with this customerId."""

    code = "unknown_customer"


class CustomerIsArchived(Invalid):
    """The customer is archived and cannot buy."""

    code = "customer_archived"


class AlreadySubscribed(Conflict):
    """The customer already has a subscription to this product."""

    code = "already_subscribed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """A sale that is worked out: ``draft`` is its first invoice, None for a trial or prepaid."""

    subscription_id: UUID
    start: Start
    bill: Bill
    draft: Draft | None
    redemption: Redemption | None


def listed_contract(terms: OfferTerms) -> Contract:
    """The plan at its own price."""
    return Contract(terms=terms, amount=terms.amount, feature_version=terms.plan.version)


def require_buyer(account: Account, customer_id: str) -> None:
    """Raise UnknownCustomer or CustomerIsArchived."""
    if not account.customer.exists:
        raise UnknownCustomer(f"There is no customer {customer_id!r}.")
    if account.customer.archived:
        raise CustomerIsArchived


async def require_unique(work: UnitOfWork, account: Account, product: UUID) -> None:
    """Raise AlreadySubscribed where a second subscription to a product is not wanted (case 109)."""
    portfolio = await work.load(PORTFOLIO, portfolio_id(account.id), absent=True)
    if account.settings.one_subscription_per_product and product in portfolio.open.values():
        raise AlreadySubscribed


async def agree(
    work: UnitOfWork,
    account: Account,
    wanted: Wanted,
    contract_of: Callable[[OfferTerms], Contract] = listed_contract,
    *,
    discount_code: str | None = None,
    is_charge: bool = False,
) -> Contract:
    """What is agreed on the plan's terms, with everything loaded that the sale reads.

    A charge is for once: it may be made beside a subscription to the same product. Raises
    PaymentProviderMissing, AlreadySubscribed, and what ``plan_terms`` raises.
    """
    terms = await plan_terms(work, wanted)
    contract = contract_of(terms)
    if contract.amount.units:
        work.tenant.payments.require()
    await load_balance(work, account.id, terms.currency)
    if not is_charge:
        await require_unique(work, account, terms.product.id)
    if discount_code:
        await work.load(DISCOUNT, discount_of(work, discount_code))
    return contract


async def draw_up(  # noqa: PLR0913 -- each by name
    work: UnitOfWork,
    subscription_id: UUID,
    start: Start,
    *,
    discount_code: str | None = None,
    custom_fields: Mapping[str, Any] | None = None,
    spares_balance: bool = False,
    at: datetime,
) -> Deal:
    """What the sale comes to. Raises what ``redemption_of`` and ``prepare`` raise."""
    redemption = None
    if discount_code:
        redemption = await redemption_of(
            work,
            discount_code,
            customer=start.customer,
            subscription_id=subscription_id,
            offer=start.contract.terms,
            at=at,
        )
    bill = Bill(
        subscription_id=subscription_id,
        customer=start.customer,
        contract=start.contract,
        contract_version=1,
        period=start.first_period(at),
        discounts=(redemption.terms,) if redemption else (),
        is_first=True,
        custom_fields=custom_fields,
        spares_balance=spares_balance,
    )
    draft = None
    if not start.is_trial(at) and not start.is_prepaid(at):
        draft = await prepare(work, bill)
    must_pay = draft is not None and not draft.is_paid
    invoice_id = None if draft is None else draft.invoice_id
    return Deal(
        subscription_id=subscription_id,
        start=replace(start, must_pay=must_pay, invoice_id=invoice_id),
        bill=bill,
        draft=draft,
        redemption=redemption,
    )


async def conclude(work: UnitOfWork, deal: Deal, *, at: datetime) -> None:
    """Record the subscription, what it redeems, its invoice and its order; collect nothing yet.

    Raises SubscriptionExists.
    """
    subscription_id, customer = deal.subscription_id, deal.start.customer
    subscription = await work.load(SUBSCRIPTION, subscription_id, absent=True)
    facts = decide.create(subscription, subscription_id, deal.start, at=at)
    work.record(subscription_id, facts, owner=customer)
    if deal.redemption is not None:
        await record_redemption(work, subscription_id, deal.redemption, at=at)
    if deal.draft is not None:
        await issue(work, deal.bill, deal.draft, at=at)
    elif deal.start.is_trial(at):
        await order_trial(work, deal.bill, at=at)


async def join_portfolio(work: UnitOfWork, deal: Deal, *, at: datetime) -> None:
    """What recurs or waits for its payment has not ended; a paid one-time sale has."""
    state = await work.load(SUBSCRIPTION, deal.subscription_id)
    if deal.start.interval is None and state.status is not Status.INCOMPLETE:
        return
    await work.load(PORTFOLIO, portfolio_id(deal.start.customer), absent=True)
    opened = PortfolioSubscriptionOpened(
        subscription_id=deal.subscription_id,
        product_id=deal.start.contract.terms.product.id,
        occurred_at=at,
    )
    work.record(portfolio_id(deal.start.customer), [opened], owner=deal.start.customer)
