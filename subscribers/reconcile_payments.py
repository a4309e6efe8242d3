"""Asks again how payments ended that the provider was silent about (design 8).

Looked up by key after 10 s, 1 min, 10 min, then hourly. One that the provider has never heard of is
sent again with the same key within 12 h, and given up after that. A second charge is impossible.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import chain, count

from aggregates.customer.state import CUSTOMER
from aggregates.invoice.events import InvoicePaymentPending, InvoicePaymentStarted
from aggregates.invoice.state import INVOICE
from kernel.ports.event_store import Recorded
from kernel.ports.payments import ChargeResult, Declined, PaymentProvider, Unknown
from subscribers.collect_payments import SEND_AGAIN_WITHIN, charge_of, outcome_of
from subscribers.reacting import Reactor
from subscribers.runner import Reaction


NAME = "reconcile_payments"
FIRST_LOOKS = (timedelta(seconds=10), timedelta(minutes=1), timedelta(minutes=10))
HOURLY = timedelta(hours=1)
ALARM_AFTER = timedelta(hours=48)

_log = logging.getLogger(__name__)


class StoppedWaitingError(Exception):
    """The process stops: the payment is looked up after the next start."""


def looks(since: datetime) -> Iterator[datetime]:
    """When to look a payment up that became unknown at ``since``."""
    hours = (since + HOURLY * n for n in count(1))
    return chain((since + delay for delay in FIRST_LOOKS), hours)


class ReconcilePayments:
    """The shell: waits, looks up, dispatches the outcome."""

    def __init__(self, reactor: Reactor, provider: PaymentProvider) -> None:
        """``reactor`` carries this reaction's name."""
        self._reactor = reactor
        self._provider = provider
        self._stopped = asyncio.Event()

    @property
    def reaction(self) -> Reaction:
        """As the runner drives it; each payment waits for itself alone."""
        wants = frozenset({InvoicePaymentPending})
        return Reaction(NAME, wants, self.handle, in_order=False, stop=self._stopped.set)

    async def handle(self, recorded: Recorded) -> None:
        """Ask until it is known how the attempt ended."""
        on_test_clock = await self._on_test_clock(recorded)
        for look in looks(recorded.recorded_at):
            if not on_test_clock:
                await self._wait_until(look)
            started = await self._in_flight(recorded)
            if started is None:
                return
            result = await self._ask(started, self._age(recorded))
            if not isinstance(result, Unknown):
                await self._reactor.dispatch(recorded, outcome_of(started, result), "known")
                return
            on_test_clock = False

    async def _on_test_clock(self, recorded: Recorded) -> bool:
        """There nothing waits in real time: the first look comes at once."""
        customer = CUSTOMER.of((await self._reactor.bus.store.load(recorded.owner)).facts)
        return customer.test_clock_id is not None

    async def _in_flight(self, recorded: Recorded) -> InvoicePaymentStarted | None:
        invoice = INVOICE.of((await self._reactor.bus.store.load(recorded.stream)).facts)
        started = invoice.in_flight
        if started is None or started.attempt != recorded.fact.attempt:
            return None
        return started

    async def _ask(self, started: InvoicePaymentStarted, age: timedelta) -> ChargeResult:
        known = await self._provider.lookup(started.provider_key)
        if known is not None:
            return known
        if age < SEND_AGAIN_WITHIN:
            return await self._provider.charge(charge_of(started))
        if age > ALARM_AFTER:
            _log.error("payment %s was given up after %s", started.provider_key, age)
        return Declined(
            code="payment_lost",
            message="The payment never reached the payment provider.",
            method_type=started.method.type,
        )

    def _age(self, recorded: Recorded) -> timedelta:
        return self._reactor.bus.clock.now() - recorded.recorded_at

    async def _wait_until(self, instant: datetime) -> None:
        seconds = (instant - self._reactor.bus.clock.now()).total_seconds()
        try:
            async with asyncio.timeout(max(seconds, 0)):
                await self._stopped.wait()
        except TimeoutError:
            return
        raise StoppedWaitingError
