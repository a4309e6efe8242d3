"""Sell a plan to a customer without checkout (wire 6.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from decimal import Decimal
from uuid import UUID

from aggregates.subscription.contract import Contract
from aggregates.subscription.decide import Start, TrialEndsTooEarly
from commands.billing.account import Account, account_instant, load_account
from commands.billing.collecting import attempt
from commands.billing.selling import (
    agree,
    conclude,
    draw_up,
    join_portfolio,
    listed_contract,
    require_buyer,
)
from commands.bus import handles
from commands.custom_price import custom_contract
from commands.plan_terms import Wanted
from commands.unit_of_work import UnitOfWork
from kernel.errors import Invalid
from kernel.interval import ChargePeriod
from kernel.offer import OfferTerms


class ChargingNeedsCheckout(Invalid):
    """Charging without checkout is not enabled for this organization; use a checkout session."""

    code = "checkout_required"


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


async def sell(
    work: UnitOfWork,
    command: CreateSubscription,
    *,
    contract_of: Callable[[OfferTerms], Contract] = listed_contract,
    is_charge: bool = False,
) -> None:
    """Make the sale and begin to collect it from the saved method; see ``agree``."""
    account = await _buyer(work, command.customer_id)
    wanted = Wanted(
        plan=command.plan,
        period=command.period,
        currency=command.currency,
        quantities=command.quantities,
        is_agreed=command.custom_amount is not None,
    )
    contract = await agree(
        work,
        account,
        wanted,
        contract_of,
        discount_code=command.discount_code,
        is_charge=is_charge,
    )
    at = await account_instant(work, account)
    start = replace(_start(command, account, contract, at), is_charge=is_charge)
    deal = await draw_up(
        work, command.subscription_id, start, discount_code=command.discount_code, at=at
    )
    await conclude(work, deal, at=at)
    method = account.methods.to_charge()
    if method is not None and deal.draft is not None and not deal.draft.is_paid:
        await attempt(work, deal.draft.invoice_id, method, at=at)
    await join_portfolio(work, deal, at=at)


async def _buyer(work: UnitOfWork, customer_id: str) -> Account:
    account = await load_account(work, work.natural_id("customer", customer_id))
    require_buyer(account, customer_id)
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
