"""Charge a saved payment method once for a plan (wire 19)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from uuid import UUID

from aggregates.invoice.state import INVOICE
from aggregates.subscription.contract import Contract
from aggregates.subscription.events import Status
from aggregates.subscription.state import SUBSCRIPTION
from commands.billing.invoicing import invoice_of
from commands.billing.selling import listed_contract
from commands.bus import handles
from commands.custom_price import custom_contract
from commands.subscriptions.create_subscription import CreateSubscription, sell
from commands.unit_of_work import UnitOfWork
from kernel.errors import Invalid
from kernel.interval import ChargePeriod
from kernel.offer import OfferTerms
from kernel.price import TaxBehavior


class NoPaymentMethod(Invalid):
    """The customer has no saved payment method that can be charged."""

    code = "no_payment_method"


class ChargedOnce(Invalid):
    """A charge is for the period ONE_TIME; recurring plans are sold as subscriptions."""

    code = "charged_once"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateCharge:
    """``custom_amount`` in major units of ``currency`` replaces the plan's price.

    ``tax_behavior`` None: the plan's own, EXCLUSIVE for a custom amount.
    """

    subscription_id: UUID
    customer_id: str
    plan: str
    period: ChargePeriod
    currency: str | None = None
    quantities: Mapping[str, int] = field(default_factory=dict)
    custom_amount: Decimal | None = None
    tax_behavior: TaxBehavior | None = None


@handles(CreateCharge)
async def create_charge(work: UnitOfWork, command: CreateCharge) -> UUID:
    """A one-time sale with its payment begun; it comes about when that is paid, or never.

    Raises ChargedOnce, NoPaymentMethod, InvalidFields, and what ``sell`` raises.
    """
    if command.period is not ChargePeriod.ONE_TIME:
        raise ChargedOnce
    sale = CreateSubscription(
        subscription_id=command.subscription_id,
        customer_id=command.customer_id,
        plan=command.plan,
        period=command.period,
        currency=command.currency,
        quantities=command.quantities,
        custom_amount=command.custom_amount,
    )
    await sell(work, sale, contract_of=lambda terms: _contract(command, terms), is_charge=True)
    state = await work.load(SUBSCRIPTION, command.subscription_id)
    invoice = await work.load(INVOICE, invoice_of(command.subscription_id, None))
    if state.status is Status.INCOMPLETE and invoice.in_flight is None:
        raise NoPaymentMethod
    return command.subscription_id


def _contract(command: CreateCharge, terms: OfferTerms) -> Contract:
    if command.custom_amount is None:
        behavior = command.tax_behavior or terms.tax_behavior
        return listed_contract(replace(terms, tax_behavior=behavior))
    return custom_contract(terms, command.custom_amount, command.tax_behavior)
