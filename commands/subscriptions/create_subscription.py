"""Sell a plan to a customer without checkout (wire 6.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from decimal import Decimal
from uuid import UUID

from aggregates.discount.state import DISCOUNT
from aggregates.portfolio.events import PortfolioSubscriptionOpened
from aggregates.portfolio.state import PORTFOLIO, portfolio_id
from aggregates.subscription import decide
from aggregates.subscription.contract import Contract
from aggregates.subscription.decide import Start, TrialEndsTooEarly
from aggregates.subscription.events import Status
from aggregates.subscription.state import SUBSCRIPTION
from commands.billing.account import Account, account_instant, load_account, load_balance
from commands.billing.collecting import attempt
from commands.billing.invoicing import Bill, issue, order_trial, prepare
from commands.bus import handles
from commands.custom_price import custom_contract
from commands.discounts.create_discount import discount_of
from commands.discounts.redeeming import Redemption, record_redemption, redemption_of
from commands.plan_terms import Wanted, plan_terms
from commands.unit_of_work import UnitOfWork
from kernel.errors import Conflict, Invalid
from kernel.interval import ChargePeriod
from kernel.offer import OfferTerms


class UnknownCustomer(Invalid):
    """There is no customer with this customerId."""

    code = "unknown_customer"


class CustomerIsArchived(Invalid):
    """The customer is archived and cannot buy."""

    code = "customer_archived"


class ChargingNeedsCheckout(Invalid):
    """Charging without checkout is not enabled for this organization; use a checkout session."""

    code = "checkout_required"


class AlreadySubscribed(Conflict):
    """The customer already has a subscription to this product."""

    code = "already_subscribed"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateSubscription:
    """``customer_id`` is the merchant's; ``currency`` None is the product's own.

    ``started_at`` may lie in the past. ``trial_ends_at`` overrides the plan's trial, ``no_trial``
    leaves it out. ``custom_amount`` in major units of ``currency`` replaces the plan's price.
    """

    subscription_id: UUID
    customer_id: str
    plan: str
    period: ChargePeriod
    currency: str | None = None
    quantities: Mapping[str, int] = field(default_factory=dict)
    started_at: datetime | None = None
    bill_past_periods: bool = True
    trial_ends_at: datetime | None = None
    no_trial: bool = False
    discount_code: str | None = None
    custom_amount: Decimal | None = None


@handles(CreateSubscription)
async def create_subscription(work: UnitOfWork, command: CreateSubscription) -> UUID:
    """The subscription: trialing, active if nothing is due, else incomplete with a payment begun.

    Raises UnknownCustomer, CustomerIsArchived, ChargingNeedsCheckout, AlreadySubscribed,
    PaymentProviderMissing, and what ``plan_terms``, ``redemption_of`` and ``decide.create`` raise.
    """
    await sell(work, command, contract_of=lambda terms: _contract(command, terms))
    return command.subscription_id


def _contract(command: CreateSubscription, terms: OfferTerms) -> Contract:
    if command.custom_amount is None:
        return listed_contract(terms)
    return custom_contract(terms, command.custom_amount, terms.tax_behavior)


def listed_contract(terms: OfferTerms) -> Contract:
    """The plan at its own price."""
    return Contract(terms=terms, amount=terms.amount, feature_version=terms.plan.version)


async def sell(
    work: UnitOfWork,
    command: CreateSubscription,
    *,
    contract_of: Callable[[OfferTerms], Contract] = listed_contract,
    is_charge: bool = False,
) -> None:
    """Make the sale; ``contract_of`` says what is agreed on the plan's terms.

    A charge is for once: it may be made beside a subscription to the same product.
    """
    account = await _buyer(work, command.customer_id)
    wanted = Wanted(
        plan=command.plan,
        period=command.period,
        currency=command.currency,
        quantities=command.quantities,
    )
    terms = await plan_terms(work, wanted)
    contract = contract_of(terms)
    if contract.amount.units:
        work.tenant.payments.require()
    await load_balance(work, account.id, terms.currency)
    portfolio = await work.load(PORTFOLIO, portfolio_id(account.id), absent=True)
    is_unique = account.settings.one_subscription_per_product and not is_charge
    if is_unique and terms.product.id in portfolio.open.values():
        raise AlreadySubscribed
    if command.discount_code:
        await work.load(DISCOUNT, discount_of(work, command.discount_code))
    at = await account_instant(work, account)
    start = replace(_start(command, account, contract, at), is_charge=is_charge)
    await _begin(work, account, command, start, at)


async def _buyer(work: UnitOfWork, customer_id: str) -> Account:
    account = await load_account(work, work.natural_id("customer", customer_id))
    if not account.customer.exists:
        raise UnknownCustomer(f"There is no customer {customer_id!r}.")
    if account.customer.archived:
        raise CustomerIsArchived
    if not account.settings.off_session_charging:
        raise ChargingNeedsCheckout
    return account


def _start(
    command: CreateSubscription, account: Account, contract: Contract, at: datetime
) -> Start:
    started_at = command.started_at or at
    if command.trial_ends_at is not None and command.trial_ends_at <= at:
        raise TrialEndsTooEarly
    days = contract.terms.trial_days
    trial_ends_at = command.trial_ends_at
    if trial_ends_at is None and days and not command.no_trial:
        trial_ends_at = started_at + timedelta(days=days)
    return Start(
        customer=account.id,
        contract=contract,
        started_at=started_at,
        trial_ends_at=trial_ends_at,
        bill_past_periods=command.bill_past_periods,
        test_clock=account.customer.test_clock_id,
    )


async def _begin(
    work: UnitOfWork, account: Account, command: CreateSubscription, start: Start, at: datetime
) -> None:
    subscription_id = command.subscription_id
    redemption = await _redemption(work, command, start, at)
    bill = Bill(
        subscription_id=subscription_id,
        customer=account.id,
        contract=start.contract,
        contract_version=1,
        period=start.first_period(at),
        discounts=(redemption.terms,) if redemption else (),
    )
    subscription = await work.load(SUBSCRIPTION, subscription_id, absent=True)
    if start.is_trial(at) or start.is_prepaid(at):
        start = replace(start, must_pay=False)
        facts = decide.create(subscription, subscription_id, start, at=at)
        work.record(subscription_id, facts, owner=account.id)
        await _redeem(work, subscription_id, redemption, at)
        if start.is_trial(at):
            await order_trial(work, bill, at=at)
    else:
        draft = await prepare(work, bill)
        start = replace(start, must_pay=not draft.is_paid, invoice_id=draft.invoice_id)
        facts = decide.create(subscription, subscription_id, start, at=at)
        work.record(subscription_id, facts, owner=account.id)
        await _redeem(work, subscription_id, redemption, at)
        await issue(work, bill, draft, at=at)
        method = account.methods.to_charge()
        if method is not None and not draft.is_paid:
            await attempt(work, draft.invoice_id, method, at=at)
    await _join_portfolio(work, subscription_id, start, at)


async def _redemption(
    work: UnitOfWork, command: CreateSubscription, start: Start, at: datetime
) -> Redemption | None:
    if not command.discount_code:
        return None
    return await redemption_of(
        work,
        command.discount_code,
        customer=start.customer,
        subscription_id=command.subscription_id,
        offer=start.contract.terms,
        at=at,
    )


async def _redeem(
    work: UnitOfWork, subscription_id: UUID, redemption: Redemption | None, at: datetime
) -> None:
    if redemption is not None:
        await record_redemption(work, subscription_id, redemption, at=at)


async def _join_portfolio(
    work: UnitOfWork, subscription_id: UUID, start: Start, at: datetime
) -> None:
    """What recurs or waits for its payment has not ended; a paid one-time sale has."""
    state = await work.load(SUBSCRIPTION, subscription_id)
    if start.interval is None and state.status is not Status.INCOMPLETE:
        return
    opened = PortfolioSubscriptionOpened(
        subscription_id=subscription_id,
        product_id=start.contract.terms.product.id,
        occurred_at=at,
    )
    work.record(portfolio_id(start.customer), [opened], owner=start.customer)
