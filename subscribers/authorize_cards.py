"""Lets providers authorize the cards of trials that begin at a checkout (wire 25).

Nothing is taken. The key names the authorization, so that however often a fact is delivered the
provider says the same; an unknown outcome is asked after by that key, as for payments (design 8).
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from aggregates.checkout.events import (
    CheckoutAuthenticationPassed,
    CheckoutPaymentPending,
    CheckoutPaymentStarted,
)
from aggregates.checkout.state import CHECKOUT
from aggregates.customer.state import CUSTOMER
from commands.checkout.complete_checkout import authorization_key
from commands.checkout.record_authorization import RecordAuthorization
from kernel.money import Money
from kernel.ports.event_store import Recorded
from kernel.ports.payments import Charge, ChargeResult, Declined, PaymentProvider, Unknown
from subscribers.collect_payments import SEND_AGAIN_WITHIN
from subscribers.reacting import Reactor
from subscribers.runner import Reaction


NAME = "authorize_cards"
LOST = Declined(
    code="authorization_lost", message="The card never reached the payment provider. Try again."
)


class AuthorizeCards:
    """The shell: asks the provider, dispatches the outcome."""

    def __init__(self, reactor: Reactor, provider: PaymentProvider) -> None:
        """``reactor`` carries this reaction's name."""
        self._reactor = reactor
        self._provider = provider

    @property
    def reaction(self) -> Reaction:
        """As the runner drives it."""
        wants: tuple[type, ...] = (
            CheckoutPaymentStarted,
            CheckoutAuthenticationPassed,
            CheckoutPaymentPending,
        )
        return Reaction(NAME, frozenset(wants), self.handle)

    async def handle(self, recorded: Recorded) -> None:
        """Authorize one card; on a test clock nothing waits in real time for an unknown outcome."""
        if isinstance(recorded.fact, CheckoutPaymentPending):
            if recorded.fact.is_authorization and await self._on_test_clock(recorded):
                await self.look(recorded)
            return
        asked = await self._asked(recorded)
        if asked is None:
            return
        charge, number = asked
        result: ChargeResult = Unknown()
        if self._age(recorded.recorded_at) < SEND_AGAIN_WITHIN:
            result = await self._provider.authorize(charge)
        await self._tell(recorded, number, result)

    async def look(self, recorded: Recorded) -> None:
        """Ask once what became of the authorization that a CheckoutPaymentPending is about."""
        asked = await self._asked(recorded)
        if asked is None:
            return
        charge, number = asked
        result: ChargeResult | None = await self._provider.lookup(charge.key)
        if result is None and self._age(recorded.recorded_at) < SEND_AGAIN_WITHIN:
            result = await self._provider.authorize(charge)
        if not isinstance(result, Unknown):
            await self._tell(recorded, number, result or LOST)

    async def _asked(self, recorded: Recorded) -> tuple[Charge, int] | None:
        """What the provider is asked, and the how manieth time; None when nothing is to be asked.

        When an invoice is paid, that is asked for its payment.
        """
        facts = (await self._reactor.bus.store.load(recorded.stream)).facts
        state = CHECKOUT.of(facts)
        started = state.in_flight
        if started is None or started.invoice_id is not None or state.awaits_authentication:
            return None
        if started.attempt != recorded.fact.attempt:
            return None
        before = authorization_key(recorded.stream, started.attempt, state.authenticated - 1)
        charge = Charge(
            key=authorization_key(recorded.stream, started.attempt, state.authenticated),
            amount=Money(0, started.currency),
            method=started.reference,
            description=f"Checkout {state.session_id}",
            customer=str(recorded.owner),
            continues=before if state.authenticated else "",
        )
        return charge, state.authenticated

    async def _tell(self, recorded: Recorded, number: int, result: ChargeResult) -> None:
        fact: Any = recorded.fact
        command = RecordAuthorization(
            session=recorded.stream,
            attempt=fact.attempt,
            number=number,
            result=result,
            caused_at=fact.occurred_at,
        )
        await self._reactor.dispatch(recorded, command)

    async def _on_test_clock(self, recorded: Recorded) -> bool:
        customer = CUSTOMER.of((await self._reactor.bus.store.load(recorded.owner)).facts)
        return customer.test_clock_id is not None

    def _age(self, recorded_at: datetime) -> timedelta:
        return self._reactor.bus.clock.now() - recorded_at
