"""What a provider said of the card of a trial: authorized, not charged (wire 25)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import assert_never
from uuid import UUID

from aggregates.checkout.events import CheckoutPaymentStarted
from aggregates.checkout.state import CHECKOUT
from aggregates.customer.state import CUSTOMER
from commands.billing.account import caused_instant
from commands.bus import handles
from commands.checkout import outcomes
from commands.checkout.finishing import finish
from commands.checkout.pricing import deal_of
from commands.checkout.visit import take_details, visit_of
from commands.unit_of_work import UnitOfWork
from kernel.errors import Conflict, Invalid
from kernel.ports.payments import (
    ChargeResult,
    Declined,
    NeedsAuthentication,
    Succeeded,
    Unknown,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordAuthorization:
    """``session`` is the stream; ``caused_at`` when the authorization was begun."""

    session: UUID
    attempt: int
    number: int
    result: ChargeResult
    caused_at: datetime


@handles(RecordAuthorization)
async def record_authorization(work: UnitOfWork, command: RecordAuthorization) -> None:
    """Record it once; with the card authorized, the trial begins."""
    state = await work.load(CHECKOUT, command.session)
    started = state.in_flight
    if started is None or started.attempt != command.attempt or state.awaits_authentication:
        return
    if state.authenticated != command.number:
        return
    customer = await work.load(CUSTOMER, state.customer)
    at = caused_instant(work, state.customer, customer, command.caused_at)
    match command.result:
        case Succeeded():
            await _begin(work, command.session, started, at)
        case Declined(code=code, message=message):
            await outcomes.refused(work, command.session, code=code, message=message, at=at)
        case NeedsAuthentication(message=message):
            await outcomes.confirmable(work, command.session, message, at=at)
        case Unknown():
            await outcomes.unknown(work, command.session, at=at)
        case _:
            assert_never(command.result)


async def _begin(
    work: UnitOfWork, session: UUID, started: CheckoutPaymentStarted, at: datetime
) -> None:
    """The sale is decided now: what became impossible meanwhile is refused, nothing was taken."""
    visit = await visit_of(work, session)
    visit = await take_details(work, visit, at=at)
    try:
        deal = await deal_of(work, visit, started.attempt, at=at)
    except (Invalid, Conflict) as refusal:
        code, message = refusal.code, refusal.message
        await outcomes.refused(work, session, code=code, message=message, at=at)
        return
    await finish(work, visit, deal, attempt=started.attempt, paid_by=started, at=at)
