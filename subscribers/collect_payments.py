"""Charges what attempts were begun for, and brings the outcome back as a command (design 8).

The attempt fact names the provider's key: however often the fact is delivered, the provider takes
the money once and always gives the same answer.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, assert_never

from aggregates.invoice.events import FailureKind, InvoicePaymentStarted
from commands.invoices.record_payment_failed import RecordPaymentFailed
from commands.invoices.record_payment_pending import RecordPaymentPending
from commands.invoices.record_payment_succeeded import RecordPaymentSucceeded
from kernel.ports.event_store import Recorded
from kernel.ports.payments import (
    Charge,
    ChargeResult,
    Declined,
    NeedsAuthentication,
    PaymentProvider,
    Succeeded,
    Unknown,
)
from subscribers.reacting import Reactor
from subscribers.runner import Reaction


NAME = "collect_payments"
SEND_AGAIN_WITHIN = timedelta(hours=12)
"""Later than this after an attempt began its key is only looked up, never sent again."""


def charge_of(started: InvoicePaymentStarted) -> Charge:
    """What the provider is asked for."""
    return Charge(
        key=started.provider_key,
        amount=started.amount,
        method=started.reference,
        description=f"Invoice {started.invoice_number}",
        customer=str(started.customer),
        continues=started.continues,
    )


def outcome_of(started: InvoicePaymentStarted, result: ChargeResult) -> Any:
    """The command that records what the provider said."""
    match result:
        case Succeeded():
            return RecordPaymentSucceeded(
                invoice_id=started.invoice_id,
                attempt=started.attempt,
                payment_id=result.reference,
                international=result.international,
                caused_at=started.occurred_at,
            )
        case Declined():
            kind = FailureKind.HARD if result.hard else FailureKind.DECLINED
            return _failed(started, kind, result.code, result.message)
        case NeedsAuthentication():
            return _failed(started, FailureKind.AUTHENTICATION, result.code, result.message)
        case Unknown():
            return RecordPaymentPending(
                invoice_id=started.invoice_id,
                attempt=started.attempt,
                caused_at=started.occurred_at,
            )
        case _:
            assert_never(result)


def _failed(
    started: InvoicePaymentStarted, kind: FailureKind, code: str, message: str
) -> RecordPaymentFailed:
    return RecordPaymentFailed(
        invoice_id=started.invoice_id,
        attempt=started.attempt,
        kind=kind,
        code=code,
        message=message,
        caused_at=started.occurred_at,
    )


class CollectPayments:
    """The shell: asks the provider, dispatches the outcome."""

    def __init__(self, reactor: Reactor, provider: PaymentProvider) -> None:
        """``reactor`` carries this reaction's name."""
        self._reactor = reactor
        self._provider = provider

    @property
    def reaction(self) -> Reaction:
        """As the runner drives it."""
        return Reaction(NAME, frozenset({InvoicePaymentStarted}), self.handle)

    async def handle(self, recorded: Recorded) -> None:
        """Charge one attempt; a very late delivery leaves it to reconciliation."""
        started: InvoicePaymentStarted = recorded.fact
        result: ChargeResult = Unknown()
        if self._reactor.bus.clock.now() - recorded.recorded_at < SEND_AGAIN_WITHIN:
            result = await self._provider.charge(charge_of(started))
        await self._reactor.dispatch(recorded, outcome_of(started, result))
