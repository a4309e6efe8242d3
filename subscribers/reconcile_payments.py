"""Asks again how payments ended that the provider was silent about (design 8).

Looked up by key after 10 s, 1 min, 10 min, then hourly, as timers in real time say. One that the
provider has never heard of is sent again with the same key within 12 h, and given up after that. A
second charge is impossible. On a test clock the first look comes at once.
"""

from __future__ import annotations

from datetime import timedelta

from aggregates.customer.state import CUSTOMER
from aggregates.invoice.events import InvoicePaymentPending, InvoicePaymentStarted
from aggregates.invoice.state import INVOICE
from kernel.ports.event_store import Recorded
from kernel.ports.payments import ChargeResult, Declined, PaymentProvider, Unknown
from subscribers.collect_payments import SEND_AGAIN_WITHIN, charge_of, outcome_of
from subscribers.operator_events import OperatorEvent, raise_operator_event
from subscribers.reacting import Reactor
from subscribers.runner import Reaction


NAME = "reconcile_payments"
ALARM_AFTER = timedelta(hours=48)


class ReconcilePayments:
    """The shell: looks up, dispatches the outcome."""

    def __init__(self, reactor: Reactor, provider: PaymentProvider) -> None:
        """``reactor`` carries this reaction's name."""
        self._reactor = reactor
        self._provider = provider

    @property
    def reaction(self) -> Reaction:
        """As the runner drives it."""
        wants = frozenset({InvoicePaymentPending})
        return Reaction(NAME, wants, self.handle, in_order=False)

    async def handle(self, recorded: Recorded) -> None:
        """On a test clock nothing waits in real time: the first look comes at once."""
        if await self._on_test_clock(recorded):
            await self.look(recorded)

    async def look(self, recorded: Recorded) -> None:
        """Ask once what became of the payment that an InvoicePaymentPending is about."""
        begun = await self._in_flight(recorded)
        if begun is None:
            return
        started: InvoicePaymentStarted = begun.fact
        age = self._reactor.bus.clock.now() - begun.recorded_at
        result = await self._ask(started, age)
        if not isinstance(result, Unknown):
            await self._reactor.dispatch(recorded, outcome_of(started, result), "known")
        elif age > ALARM_AFTER:
            raise_operator_event(
                OperatorEvent.PAYMENT_UNKNOWN,
                invoice=recorded.stream,
                key=started.provider_key,
                seconds=age,
            )

    async def _on_test_clock(self, recorded: Recorded) -> bool:
        customer = CUSTOMER.of((await self._reactor.bus.store.load(recorded.owner)).facts)
        return customer.test_clock_id is not None

    async def _in_flight(self, recorded: Recorded) -> Recorded | None:
        """When and how the attempt was begun, if it still is open.

        Its own age counts: that it is unknown may have been recorded long after, by a late worker.
        """
        facts = await self._reactor.bus.store.recorded(recorded.stream)
        started = INVOICE.of([each.fact for each in facts]).in_flight
        if started is None or started.attempt != recorded.fact.attempt:
            return None
        return next(each for each in facts if each.fact == started)

    async def _ask(self, started: InvoicePaymentStarted, age: timedelta) -> ChargeResult:
        known = await self._provider.lookup(started.provider_key)
        if known is not None:
            return known
        if age < SEND_AGAIN_WITHIN:
            return await self._provider.charge(charge_of(started))
        return Declined(
            code="payment_lost",
            message="The payment never reached the payment provider.",
            method_type=started.method.type,
        )
