"""Who a portal session stands for, under the same read as what is decided for it."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.customer.state import CUSTOMER, Customer
from aggregates.portal_session import decide
from aggregates.portal_session.refusals import LinkNotValid, NotSignedIn
from aggregates.portal_session.state import PORTAL_SESSION, PortalSession
from commands.bus import handles
from commands.time import instant_for
from commands.unit_of_work import UnitOfWork
from kernel.errors import Refused
from kernel.postal import Address


@dataclass(frozen=True, slots=True, kw_only=True)
class PortalCustomer:
    """Who is in the portal; ``id`` is the internal one, ``customer_id`` the merchant's."""

    id: UUID
    customer_id: str
    email: str
    name: str | None
    billing_address: Address | None
    tax_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LookAtPortalToken:
    """Whom a token would sign in; ``token`` is the digest of its secret half."""

    session_id: UUID
    token: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangePortalToken:
    """A token for a cookie; both as the digests of their secret halves."""

    session_id: UUID
    token: str
    cookie: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LookAtPortalSession:
    """Who is signed in; ``cookie`` is the digest of the cookie's secret half."""

    session_id: UUID
    cookie: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EndPortalSession:
    """Sign out; ``cookie`` is the digest of the cookie's secret half."""

    session_id: UUID
    cookie: str


@handles(LookAtPortalToken)
async def look_at_portal_token(work: UnitOfWork, command: LookAtPortalToken) -> PortalCustomer:
    """To be run by ``Bus.preview``: nothing happens. Raises LinkNotValid."""
    session, customer = await _loaded(work, command.session_id, LinkNotValid())
    changes = customer.email_changes
    decide.require_unused(session, command.token, email_changes=changes, now=work.now())
    return _shown(session.customer, customer)


@handles(ExchangePortalToken)
async def exchange_portal_token(work: UnitOfWork, command: ExchangePortalToken) -> UUID:
    """The internal id of the customer; of two at once one wins. Raises LinkNotValid."""
    session, customer = await _loaded(work, command.session_id, LinkNotValid())
    facts = decide.start(
        session,
        command.token,
        command.cookie,
        email_changes=customer.email_changes,
        now=work.now(),
        at=await instant_for(work, customer),
    )
    work.record(command.session_id, facts)
    return session.customer


@handles(LookAtPortalSession)
async def look_at_portal_session(work: UnitOfWork, command: LookAtPortalSession) -> PortalCustomer:
    """To be run by ``Bus.preview``: straight from the log. Raises NotSignedIn."""
    session, customer = await _loaded(work, command.session_id, NotSignedIn())
    decide.require_cookie(session, command.cookie)
    decide.require_signed_in(session, email_changes=customer.email_changes, now=work.now())
    return _shown(session.customer, customer)


@handles(EndPortalSession)
async def end_portal_session(work: UnitOfWork, command: EndPortalSession) -> None:
    """Whoever the session belonged to is out. Raises NotSignedIn for a cookie of another."""
    session, customer = await _loaded(work, command.session_id, NotSignedIn())
    decide.require_cookie(session, command.cookie)
    work.record(command.session_id, decide.end(session, at=await instant_for(work, customer)))


async def signed_in(work: UnitOfWork, session_id: UUID) -> UUID:
    """The customer of a session that is good now, by the internal id. Raises NotSignedIn."""
    session, customer = await _loaded(work, session_id, NotSignedIn())
    decide.require_signed_in(session, email_changes=customer.email_changes, now=work.now())
    return session.customer


async def _loaded(
    work: UnitOfWork, session_id: UUID, refusal: Refused
) -> tuple[PortalSession, Customer]:
    """A session of this organization whose customer is still there; else the refusal."""
    session = await work.load(PORTAL_SESSION, session_id)
    if session.issued is None:
        raise refusal
    customer = await work.load(CUSTOMER, session.customer)
    mine = work.natural_id("customer", customer.customer_id) == session.customer
    if not mine or not customer.exists or customer.archived or not customer.details.email:
        raise refusal
    return session, customer


def _shown(key: UUID, customer: Customer) -> PortalCustomer:
    details = customer.details
    return PortalCustomer(
        id=key,
        customer_id=customer.customer_id,
        email=details.email or "",
        name=details.name,
        billing_address=details.billing_address,
        tax_id=details.tax_id,
    )
