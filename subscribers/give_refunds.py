"""Gives money back through the provider, and brings the outcome back as a command (design 8).

The fact names the provider's key: however often it is delivered, the money goes back once. A refund
of unknown outcome is looked up by its key as payments are, and sent again within 12 h.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, assert_never

from aggregates.customer.state import CUSTOMER
from aggregates.refund.events import RefundCreated, RefundPending, Status
from aggregates.refund.state import REFUND
from commands.refunds.record_refund_outcome import (
    RecordRefundFailed,
    RecordRefundPending,
    RecordRefundSucceeded,
)
from kernel.errors import BadUpstream
from kernel.ports.event_store import Recorded
from kernel.ports.payments import (
    Declined,
    NeedsAuthentication,
    PaymentProvider,
    Refund,
    RefundResult,
    Succeeded,
    Unknown,
)
from subscribers.collect_payments import SEND_AGAIN_WITHIN
from subscribers.operator_events import OperatorEvent, raise_operator_event
from subscribers.reacting import Reactor
from subscribers.reconcile_payments import ALARM_AFTER
from subscribers.runner import Reaction


NAME = "give_refunds"
LOST = Declined(code="refund_lost", message="The refund never reached the payment provider.")


def refund_of(created: RefundCreated) -> Refund | None:
    """What the provider is asked for; None when only the balance gets something."""
    if created.payment_id is None or not created.shares.method.units:
        return None
    return Refund(
        key=created.provider_key,
        amount=created.shares.method,
        payment=created.payment_id,
        reason=created.reason.value,
    )


def outcome_of(created: RefundCreated, result: RefundResult) -> Any:
    """The command that records what the provider said."""
    refund_id, caused_at = created.refund_id, created.occurred_at
    match result:
        case Succeeded():
            return RecordRefundSucceeded(
                refund_id=refund_id, reference=result.reference, caused_at=caused_at
            )
        case Declined():
            return RecordRefundFailed(
                refund_id=refund_id, code=result.code, message=result.message, caused_at=caused_at
            )
        case Unknown():
            return RecordRefundPending(refund_id=refund_id, caused_at=caused_at)
        case _:
            assert_never(result)


class GiveRefunds:
    """The shell: asks the provider, dispatches the outcome."""

    def __init__(self, reactor: Reactor, provider: PaymentProvider) -> None:
        """``reactor`` carries this reaction's name."""
        self._reactor = reactor
        self._provider = provider

    @property
    def reaction(self) -> Reaction:
        """As the runner drives it."""
        return Reaction(NAME, frozenset({RefundCreated, RefundPending}), self.handle)

    async def handle(self, recorded: Recorded) -> None:
        """Ask once; a very late delivery leaves it to the questions that come later."""
        if isinstance(recorded.fact, RefundPending):
            if await self._on_test_clock(recorded):
                await self.look(recorded)
            return
        created: RefundCreated = recorded.fact
        asked = refund_of(created)
        if asked is None:
            return
        result: RefundResult = Unknown()
        if self._reactor.bus.clock.now() - recorded.recorded_at < SEND_AGAIN_WITHIN:
            result = await self._provider.refund(asked)
        await self._reactor.dispatch(recorded, outcome_of(created, result))

    async def look(self, recorded: Recorded) -> None:
        """Ask once what became of the refund that a RefundPending is about."""
        facts = await self._reactor.bus.store.recorded(recorded.stream)
        refund = REFUND.of([each.fact for each in facts])
        if refund.created is None or refund.status is not Status.PROCESSING:
            return
        asked = refund_of(refund.created)
        if asked is None:
            return
        age = self._reactor.bus.clock.now() - facts[0].recorded_at
        result = await self._ask(asked, age)
        if not isinstance(result, Unknown):
            await self._reactor.dispatch(recorded, outcome_of(refund.created, result), "known")
        elif age > ALARM_AFTER:
            raise_operator_event(
                OperatorEvent.REFUND_UNKNOWN, refund=recorded.stream, key=asked.key, seconds=age
            )

    async def _on_test_clock(self, recorded: Recorded) -> bool:
        """There nothing waits in real time: the first look comes at once."""
        customer = CUSTOMER.of((await self._reactor.bus.store.load(recorded.owner)).facts)
        return customer.test_clock_id is not None

    async def _ask(self, asked: Refund, age: timedelta) -> RefundResult:
        known = await self._provider.lookup(asked.key)
        if isinstance(known, NeedsAuthentication):
            raise BadUpstream("A refund cannot ask for authentication.")
        if known is not None:
            return known
        return await self._provider.refund(asked) if age < SEND_AGAIN_WITHIN else LOST
