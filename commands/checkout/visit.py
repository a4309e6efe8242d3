"""A session with its customer, as every command about it reads them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from aggregates.checkout.decide import CheckoutNotFound
from aggregates.checkout.events import Status
from aggregates.checkout.state import CHECKOUT, Checkout
from aggregates.customer import decide as customers
from aggregates.customer.state import CUSTOMER, Details
from commands.billing.account import Account, account_instant, load_account, load_balance
from commands.unit_of_work import UnitOfWork
from kernel.checkout_link import stream_of
from kernel.ids import derived_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """``id`` is the session's stream; ``state`` is as this command has changed it so far."""

    id: UUID
    state: Checkout
    account: Account

    def sale(self, attempt: int) -> UUID:
        """What an attempt brings about: each has a subscription of its own."""
        return derived_id(self.id, "sale", attempt)


async def load_visit(work: UnitOfWork, session_id: str) -> Visit:
    """A session of this organization. Raises CheckoutNotFound."""
    return await visit_of(work, stream_of(work.tenant, session_id))


async def visit_of(work: UnitOfWork, stream: UUID) -> Visit:
    """The session of a stream. Raises CheckoutNotFound."""
    state = await work.load(CHECKOUT, stream)
    if state.status is Status.ABSENT:
        raise CheckoutNotFound
    account = await load_account(work, state.customer)
    await load_balance(work, account.id, state.terms.currency)
    return Visit(id=stream, state=state, account=account)


async def again(work: UnitOfWork, visit: Visit) -> Visit:
    """The same with what was recorded meanwhile."""
    account = replace(visit.account, customer=await work.load(CUSTOMER, visit.account.id))
    return replace(visit, state=await work.load(CHECKOUT, visit.id), account=account)


async def instant(work: UnitOfWork, visit: Visit) -> datetime:
    """When a command about the session happens. Raises ClockAdvancing."""
    return await account_instant(work, visit.account)


def buyer(visit: Visit) -> Details:
    """The customer's details once the session has come about.

    What was entered counts, but for the email of a customer whom the merchant knew before: it is
    how that one signs in. Of a customer named in a public link nothing changes.
    """
    known, entered = visit.account.customer.details, visit.state.details
    if not visit.state.is_trusted:
        return known
    email = entered.email if visit.state.is_new_customer else known.email
    return replace(
        known,
        email=email or known.email or entered.email,
        name=entered.name or known.name,
        billing_address=entered.billing_address or known.billing_address,
        tax_id=entered.tax_id or known.tax_id,
    )


def billing_country(visit: Visit) -> str | None:
    """Where the buyer is billed, two letters, as far as the session knows."""
    address = buyer(visit).billing_address or visit.state.details.billing_address
    return (address.country or "").upper() or None if address else None


async def take_details(work: UnitOfWork, visit: Visit, *, at: datetime) -> Visit:
    """Make what the buyer entered the customer's, so that it is billed and taxed by that."""
    facts = customers.change_details(visit.account.customer, details=buyer(visit), at=at)
    work.record(visit.account.id, facts)
    return await again(work, visit)
