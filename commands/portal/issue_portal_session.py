"""Give a merchant a token that signs a customer in to the portal (wire 20)."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.customer.state import CUSTOMER
from aggregates.portal_session.decide import issue
from aggregates.portal_session.state import PORTAL_SESSION
from commands.bus import handles
from commands.time import instant_for
from commands.unit_of_work import UnitOfWork
from kernel.errors import InvalidFields


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuePortalSession:
    """``customer_id`` is the merchant's; ``digest`` that of the token's secret half."""

    session_id: UUID
    customer_id: str
    digest: str


@handles(IssuePortalSession)
async def issue_portal_session(work: UnitOfWork, command: IssuePortalSession) -> str:
    """The email address that the session is tied to. Raises InvalidFields, ClockAdvancing."""
    stream = work.natural_id("customer", command.customer_id)
    customer = await work.load(CUSTOMER, stream)
    if not customer.exists or customer.archived:
        raise InvalidFields({"customerId": ["No customer has this customerId."]})
    email = customer.details.email
    if not email:
        raise InvalidFields({"customerId": ["The customer has no email address."]})
    facts = issue(
        customer=stream,
        digest=command.digest,
        email=email,
        email_changes=customer.email_changes,
        now=work.now(),
        at=await instant_for(work, customer),
    )
    await work.create(PORTAL_SESSION, command.session_id, facts, owner=stream)
    return email
