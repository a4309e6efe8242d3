"""The buyer was at the bank to confirm a payment, and comes back (design 8)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from aggregates.checkout import decide
from aggregates.checkout.events import CheckoutPaymentStarted
from aggregates.invoice import decide as invoices
from aggregates.invoice.decide import attempt_key
from aggregates.invoice.state import INVOICE
from commands.bus import handles
from commands.checkout.complete_checkout import authorization_key
from commands.checkout.finishing import give_up_sale
from commands.checkout.visit import Visit, instant, load_visit
from commands.unit_of_work import UnitOfWork
from kernel.errors import Invalid


class NotAuthenticated(Invalid):
    """The payment was not confirmed. Try again, or use another card."""

    code = "authentication_failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthenticateCheckout:
    """``attempt`` is the one that waits; ``approved`` False: the buyer refused, or failed."""

    session_id: str
    attempt: int
    approved: bool


@handles(AuthenticateCheckout)
async def authenticate_checkout(work: UnitOfWork, command: AuthenticateCheckout) -> None:
    """Go on with the payment, or open the session again; once.

    Raises CheckoutNotFound, CheckoutClosed, ClockAdvancing.
    """
    visit = await load_visit(work, command.session_id)
    started = visit.state.in_flight
    if started is None or started.attempt != command.attempt:
        return
    if not visit.state.awaits_authentication:
        return
    at = await instant(work, visit)
    if command.approved:
        await _go_on(work, visit, started, at)
    else:
        await _give_up(work, visit, started, at)


async def _go_on(
    work: UnitOfWork, visit: Visit, started: CheckoutPaymentStarted, at: datetime
) -> None:
    state = visit.state
    key = authorization_key(visit.id, started.attempt, state.authenticated + 1)
    facts = decide.pass_authentication(state, started.attempt, provider_key=key, at=at)
    if started.invoice_id is not None:
        invoice = await work.load(INVOICE, started.invoice_id)
        if not invoice.is_open or invoice.in_flight is not None:
            return
        begun = invoices.start_payment(
            invoice,
            started.method,
            reference=started.reference,
            off_session=False,
            continues=attempt_key(started.invoice_id, invoice.attempts),
            at=at,
        )
        work.record(visit.id, facts)
        work.record(started.invoice_id, begun)
    else:
        work.record(visit.id, facts)


async def _give_up(
    work: UnitOfWork, visit: Visit, started: CheckoutPaymentStarted, at: datetime
) -> None:
    """While somebody pays the same invoice by its link, that comes first."""
    if started.invoice_id is not None:
        invoice = await work.load(INVOICE, started.invoice_id)
        if invoice.in_flight is not None:
            return
        await give_up_sale(work, started.subscription_id, at=at)
    why = NotAuthenticated()
    failed = decide.fail_payment(
        visit.state, started.attempt, code=why.code, message=why.message, at=at
    )
    work.record(visit.id, failed)
