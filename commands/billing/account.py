"""The customer as billing needs it: ways to pay, settings, balance and the time there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from aggregates.balance.state import BALANCE, Balance, balance_id
from aggregates.customer.state import CUSTOMER, Customer
from aggregates.organization.state import ORGANIZATION
from aggregates.payment_method.state import FOLD as PAYMENT_METHODS
from aggregates.payment_method.state import PaymentMethods, SavedMethod, payment_methods_of
from aggregates.subscription.decide import SubscriptionNotFound
from aggregates.subscription.dunning import RetrySchedule
from aggregates.subscription.state import SUBSCRIPTION, Subscription
from commands.time import instant_for
from commands.unit_of_work import UnitOfWork
from kernel.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """``id`` is the customer's stream, which owns every fact about it."""

    id: UUID
    customer: Customer
    methods: PaymentMethods
    settings: Settings

    @property
    def schedule(self) -> RetrySchedule:
        """When failed payments are tried again."""
        return RetrySchedule(self.settings.dunning_schedule)

    def method_for(self, state: Subscription) -> SavedMethod | None:
        """What pays for a subscription: its own card alone, else as ``to_charge`` says."""
        own = state.own_card
        if own is None:
            return self.methods.to_charge(state.payment_method)
        return SavedMethod(own.method_id, own.provider, own.reference, own.instrument)


async def load_account(work: UnitOfWork, customer: UUID) -> Account:
    """Everything about a customer that billing reads, but the balance."""
    organization = await work.load(ORGANIZATION, work.tenant.organization, guard=False)
    return Account(
        id=customer,
        customer=await work.load(CUSTOMER, customer, guard=False),
        methods=await work.load(PAYMENT_METHODS, payment_methods_of(customer)),
        settings=organization.settings,
    )


async def load_balance(work: UnitOfWork, customer: UUID, currency: str) -> Balance:
    """The customer's balance in a currency; most have none, the append proves it."""
    return await work.load(BALANCE, balance_id(customer, currency), absent=True)


async def load_subscription(work: UnitOfWork, subscription: UUID) -> tuple[Subscription, Account]:
    """A subscription of this organization with its customer. Raises SubscriptionNotFound."""
    state = await work.load(SUBSCRIPTION, subscription)
    if state.contract is None:
        raise SubscriptionNotFound
    account = await load_account(work, state.customer)
    if work.natural_id("customer", account.customer.customer_id) != account.id:
        raise SubscriptionNotFound
    await load_balance(work, state.customer, state.contract.terms.currency)
    return state, account


def caused_instant(
    work: UnitOfWork, customer: UUID, state: Customer, caused_at: datetime
) -> datetime:
    """When the consequence of a fact happens.

    On a test clock at the instant of its cause: the clock stands there until reactions are done.
    """
    if state.test_clock_id is None:
        return work.instant()
    return work.instant(caused_at, owner=customer)


async def account_instant(work: UnitOfWork, account: Account) -> datetime:
    """When a command about this customer happens. Raises ClockAdvancing."""
    return await instant_for(work, account.customer)
