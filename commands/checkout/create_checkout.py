"""Begin a checkout session (wire 16.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from aggregates.checkout import decide
from aggregates.checkout.events import (
    CheckoutSessionCreated,
    Origin,
    Origins,
    Selection,
    Status,
    Terms,
)
from aggregates.checkout.state import CHECKOUT
from aggregates.customer import decide as customers
from aggregates.customer.state import CUSTOMER, Details
from commands.billing.account import Account, account_instant, load_account
from commands.billing.selling import CustomerIsArchived, require_unique
from commands.bus import handles
from commands.checkout.entering import with_code
from commands.checkout.offering import offered_plan, require_plans
from commands.checkout.pricing import resolved
from commands.checkout.showing import as_shown, currency_of
from commands.checkout.visit import Visit
from commands.plan_terms import OnSale
from commands.unit_of_work import UnitOfWork
from kernel.checkout_link import stream_of
from kernel.errors import Invalid, InvalidFields
from kernel.interval import ChargePeriod
from kernel.money import Money, parse_units
from kernel.postal import Address
from kernel.price import TaxBehavior


NOWHERE = Origins()


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateCheckout:
    """``customer_id`` is the merchant's, or a generated one; unknown: the customer is created.

    ``country`` is where the buyer seems to be, ``default_country`` what the merchant fills in.
    ``currency`` None: that of the buyer's country if the plan is priced in it, else the product's.
    ``custom_amount`` in major units of ``currency`` replaces the plan's price. ``plans`` and
    ``periods`` are what may be chosen; no plans: the plan alone, no periods: all it has.
    """

    session_id: str
    customer_id: str
    plan: str
    period: ChargePeriod
    origin: Origin = Origin.API
    quantities: Mapping[str, int] = field(default_factory=dict)
    plans: Sequence[str] = ()
    periods: Sequence[ChargePeriod] = ()
    currency: str | None = None
    custom_amount: Decimal | None = None
    tax_behavior: TaxBehavior | None = None
    trial_days: int | None = None
    discount_code: str | None = None
    discounts_enabled: bool = True
    email: str | None = None
    lock_email: bool = False
    country: str | None = None
    default_country: str | None = None
    success_url: str | None = None
    cancel_url: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    shown_in: Origins = NOWHERE


@handles(CreateCheckout)
async def create_checkout(work: UnitOfWork, command: CreateCheckout) -> str:
    """The id of the session; the same id twice makes it once.

    Raises CustomerIsArchived, AlreadySubscribed, ClockAdvancing, InvalidFields, and what
    ``plan_terms`` and ``redemption_of`` raise.
    """
    stream = stream_of(work.tenant, command.session_id)
    state = await work.load(CHECKOUT, stream, absent=True)
    if state.status is not Status.ABSENT:
        return command.session_id
    account = await load_account(work, work.natural_id("customer", command.customer_id))
    if account.customer.archived:
        raise CustomerIsArchived
    plans = tuple(dict.fromkeys((*command.plans,))) or (command.plan,)
    sold = await require_plans(work, plans)
    country, shown_in = _country(command, account), command.shown_in
    currency = await currency_of(work, shown_in, country, sold, wanted=command.currency)
    terms = _terms(command, plans, currency)
    sold = await as_shown(work, shown_in, country, sold)
    await require_unique(work, account, sold[0].product.id)
    known = account.customer.exists
    at = await account_instant(work, account) if known else work.instant()
    if not known:
        account = await _new_customer(work, command, account, at)
    created = _created(command, account, terms, sold, at=at, is_new=not known)
    begun = replace(
        state,
        terms=terms,
        selection=created.selection,
        customer=account.id,
        details=replace(state.details, billing_address=created.billing_address),
    )
    decide.require_offered(begun, created.selection)
    selection = await resolved(work, terms, created.selection, command.quantities)
    if selection.discount_code:
        visit = Visit(id=stream, state=begun, account=account)
        selection = await with_code(work, visit, selection, at=at)
    facts = decide.create(state, replace(created, selection=selection))
    work.record(stream, facts, owner=account.id)
    return command.session_id


async def _new_customer(
    work: UnitOfWork, command: CreateCheckout, account: Account, at: datetime
) -> Account:
    facts = customers.create(
        account.customer,
        customer_id=command.customer_id,
        details=Details(email=command.email, metadata={}),
        test_clock_id=None,
        at=at,
    )
    work.record(account.id, facts, owner=account.id)
    return replace(account, customer=await work.load(CUSTOMER, account.id))


def _terms(command: CreateCheckout, plans: tuple[str, ...], currency: str) -> Terms:
    return Terms(
        currency=currency,
        plans=plans,
        periods=tuple(dict.fromkeys(command.periods)),
        custom_amount=_agreed(command, currency),
        tax_behavior=command.tax_behavior,
        trial_days=command.trial_days,
        discounts_enabled=command.discounts_enabled,
        lock_email=command.lock_email,
        success_url=command.success_url,
        cancel_url=command.cancel_url,
        shown_in=command.shown_in,
    )


def _agreed(command: CreateCheckout, currency: str) -> Money | None:
    if command.custom_amount is None:
        return None
    try:
        return Money(parse_units(command.custom_amount, currency), currency)
    except Invalid as invalid:
        raise InvalidFields({"customAmount": [invalid.message]}) from None


def _created(
    command: CreateCheckout,
    account: Account,
    terms: Terms,
    sold: Iterable[OnSale],
    *,
    at: datetime,
    is_new: bool,
) -> CheckoutSessionCreated:
    sold = tuple(sold)
    is_known = command.origin is Origin.API or is_new
    details = account.customer.details if is_known else Details()
    email = command.email or details.email
    if terms.lock_email and not email:
        raise InvalidFields({"lockEmail": ["There is no email address to lock."]})
    hours = account.settings.checkout_expiry_hours
    return CheckoutSessionCreated(
        session_id=command.session_id,
        customer=account.id,
        origin=command.origin,
        product=sold[0].product,
        offered=tuple(offered_plan(each, terms) for each in sold),
        terms=terms,
        selection=Selection(
            plan=command.plan,
            period=command.period,
            discount_code=(command.discount_code or "").strip() or None,
        ),
        expires_at=at + timedelta(hours=hours),
        is_new_customer=is_new,
        email=email,
        name=details.name,
        billing_address=details.billing_address or _guessed(command),
        tax_id=details.tax_id,
        metadata=dict(command.metadata),
        occurred_at=at,
    )


def _guessed(command: CreateCheckout) -> Address | None:
    """The buyer sees it on the page and can say otherwise."""
    country = command.default_country or command.country
    return Address(country=country.upper()) if country else None


def _country(command: CreateCheckout, account: Account) -> str | None:
    address = account.customer.details.billing_address
    country = (address and address.country) or command.default_country or command.country
    return country.upper() if country else None
