"""How a session stands at this moment, straight from the log, for who is on its page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from aggregates.checkout.events import Status
from aggregates.checkout.state import CHECKOUT, Checkout, Failure
from aggregates.customer.state import CUSTOMER
from aggregates.invoice.decide import attempt_key
from aggregates.invoice.state import INVOICE
from aggregates.organization.state import ORGANIZATION
from aggregates.payment_method.state import FOLD as PAYMENT_METHODS
from aggregates.payment_method.state import SavedMethod, payment_methods_of
from aggregates.test_clock.state import TEST_CLOCK
from commands.bus import Bus
from commands.checkout.complete_checkout import authorization_key
from kernel.checkout_link import stream_of
from kernel.custom_fields import CustomField
from kernel.tenant import Tenant


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """``attempt`` is the next one, or the one under way; ``failure`` is why the newest failed.

    ``status`` is EXPIRED from the instant on. ``challenge`` is the provider's key of what the
    buyer has to confirm. ``saved`` are the methods this buyer may choose.
    """

    status: Status
    awaits_authentication: bool
    challenge: str | None
    attempt: int
    failure: Failure | None
    session: Checkout
    saved: tuple[SavedMethod, ...]
    custom_fields: tuple[CustomField, ...]


async def standing(bus: Bus, tenant: Tenant, session_id: str, now: datetime) -> Standing | None:
    """None when there is no such session."""
    store = bus.store
    stream = stream_of(tenant, session_id)
    state = CHECKOUT.of((await store.load(stream)).facts)
    if state.status is Status.ABSENT:
        return None
    organization = ORGANIZATION.of((await store.load(tenant.organization)).facts)
    at = await _time_there(bus, state, now)
    late = state.status is Status.OPEN and at >= state.expires_at
    return Standing(
        status=Status.EXPIRED if late else state.status,
        awaits_authentication=state.awaits_authentication,
        challenge=await _challenge(bus, stream, state),
        attempt=state.attempts + (state.in_flight is None),
        failure=state.failure,
        session=state,
        saved=await _saved(bus, state),
        custom_fields=organization.look.custom_fields,
    )


def redirect_url(session: Checkout) -> str | None:
    """Where the buyer goes after success; None: nowhere."""
    return session.terms.success_url


async def _challenge(bus: Bus, stream: UUID, state: Checkout) -> str | None:
    started = state.in_flight
    if started is None or not state.awaits_authentication:
        return None
    if started.invoice_id is None:
        return authorization_key(stream, started.attempt, state.authenticated)
    invoice = INVOICE.of((await bus.store.load(started.invoice_id)).facts)
    return attempt_key(started.invoice_id, invoice.attempts)


async def _time_there(bus: Bus, state: Checkout, now: datetime) -> datetime:
    customer = CUSTOMER.of((await bus.store.load(state.customer)).facts)
    if customer.test_clock_id is None:
        return now
    clock = TEST_CLOCK.of((await bus.store.load(customer.test_clock_id)).facts)
    return clock.frozen_time


async def _saved(bus: Bus, state: Checkout) -> tuple[SavedMethod, ...]:
    if not state.is_trusted:
        return ()
    saved = PAYMENT_METHODS.of((await bus.store.load(payment_methods_of(state.customer))).facts)
    return tuple(method for method in saved.methods if not method.needs_action)
