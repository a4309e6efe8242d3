"""Nobody bought anything in time (wire 16.3), or nobody did anything for a while."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.checkout import decide
from aggregates.invoice.state import INVOICE
from commands.bus import handles
from commands.checkout.finishing import give_up_sale
from commands.checkout.visit import Visit, instant, visit_of
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpireCheckout:
    """Due at the ``expires_at`` of a session; ``session`` is its stream.

    ``early``: now, as the test clock that would have brought it there is gone.
    """

    session: UUID
    early: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AbandonCheckout:
    """Due when nobody touched a session for a while; ``session`` is its stream."""

    session: UUID


@handles(ExpireCheckout)
async def expire_checkout(work: UnitOfWork, command: ExpireCheckout) -> None:
    """Expire it once; while a payment's outcome is unknown it waits for that, and so for the money.

    Raises CheckoutNotFound.
    """
    visit = await visit_of(work, command.session)
    if await _is_being_paid(work, visit):
        return
    at = await instant(work, visit)
    facts = decide.expire(visit.state, at=at, early=command.early)
    work.record(visit.id, facts)
    started = visit.state.in_flight
    if facts and started is not None and started.invoice_id is not None:
        await give_up_sale(work, started.subscription_id, at=at)


@handles(AbandonCheckout)
async def abandon_checkout(work: UnitOfWork, command: AbandonCheckout) -> None:
    """Say it once; the session can still be completed. Raises CheckoutNotFound."""
    visit = await visit_of(work, command.session)
    at = await instant(work, visit)
    work.record(visit.id, decide.abandon(visit.state, at=at))


async def _is_being_paid(work: UnitOfWork, visit: Visit) -> bool:
    """Whether its invoice is, be it by the invoice's own link."""
    started = visit.state.in_flight
    if started is None or started.invoice_id is None:
        return False
    invoice = await work.load(INVOICE, started.invoice_id)
    return invoice.in_flight is not None
