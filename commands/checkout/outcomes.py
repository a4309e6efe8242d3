"""What became of a checkout's payment, for the commands that record it on the invoice."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from aggregates.checkout import decide
from aggregates.checkout.decide import Purchase
from aggregates.checkout.state import CHECKOUT
from commands.checkout.finishing import end_session, save_card
from commands.invoices.outcome import Attempt, ordered
from commands.unit_of_work import UnitOfWork


async def paid(work: UnitOfWork, session: UUID, attempt: Attempt, *, at: datetime) -> None:
    """The session is complete, whichever way its invoice was paid."""
    state = await work.load(CHECKOUT, session)
    started = state.in_flight
    order_id, order_number = ordered(attempt.invoice)
    purchase = Purchase(
        attempt=state.attempts,
        sale=attempt.invoice.sale,
        totals=attempt.invoice.totals,
        order_id=order_id,
        order_number=order_number,
        invoice_id=attempt.invoice.invoice_id,
        method=attempt.started.method,
    )
    await end_session(work, session, purchase, at=at)
    if started is not None and started.reference == attempt.started.reference:
        await save_card(work, state, started, at=at)


async def refused(
    work: UnitOfWork, session: UUID, *, code: str, message: str, at: datetime
) -> None:
    """The session is open for another attempt, or expired if its time ran out."""
    state = await work.load(CHECKOUT, session)
    work.record(
        session, decide.fail_payment(state, state.attempts, code=code, message=message, at=at)
    )


async def confirmable(work: UnitOfWork, session: UUID, message: str, *, at: datetime) -> None:
    """The buyer has to confirm first; the session waits for that as long as it is open."""
    state = await work.load(CHECKOUT, session)
    work.record(
        session, decide.require_authentication(state, state.attempts, message=message, at=at)
    )


async def unknown(work: UnitOfWork, session: UUID, *, at: datetime) -> None:
    """Nobody knows yet."""
    state = await work.load(CHECKOUT, session)
    work.record(session, decide.await_outcome(state, state.attempts, at=at))
