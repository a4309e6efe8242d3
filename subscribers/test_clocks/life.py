"""One customer's way from where a test clock stood to where it shall stand."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from aggregates.invoice.events import (
    InvoicePaid,
    InvoicePaymentFailed,
    InvoicePaymentPending,
    InvoicePaymentStarted,
)
from kernel.ports.event_store import Recorded
from kernel.timer import Timer
from projections import timers
from projections.customers import CUSTOMERS
from projections.engine import Pass
from projections.timers import TIMERS, timer_of
from subscribers.test_clocks.inline import Inline
from subscribers.timers.firing import Firing


class Life:
    """The timers of a customer, kept up to date in memory from the facts they lead to.

    So a step needs to wait for no view. What others record meanwhile is not seen here; whoever runs
    lives looks into the view afterwards and begins again with what is left.
    """

    def __init__(self, customer: UUID, due: Iterable[Timer]) -> None:
        """``due`` is what the view has of this customer, up to where the clock goes."""
        self.timers = {timer.id: timer for timer in due}
        self.stuck: Timer | None = None
        self.error: Exception | None = None
        self._customer = customer
        self._view = Pass([timers.view], capacity=None)
        clock = next(str(timer.test_clock) for timer in self.timers.values())
        self._view.documents.learn(CUSTOMERS, customer, {"test_clock_id": clock})
        for key in self.timers:
            self._view.documents.learn(TIMERS, key, {})

    def next_due(self, until: datetime) -> Timer | None:
        """The first timer that is due by then."""
        timer = min(self.timers.values(), key=lambda timer: timer.order, default=None)
        return timer if timer is not None and timer.due_at <= until else None

    async def step(self, timer: Timer, firing: Firing, inline: Inline, at: datetime) -> bool:
        """Let a timer happen with the clock at ``at``; False when it is no use to go on."""
        try:
            async with inline.step(self._customer) as found:
                await firing.fire(timer, instant=at)
        except Exception as error:  # noqa: BLE001 - one customer's trouble is not another's
            self.stuck, self.error = timer, error
            return False
        self._absorb(found)
        if self.timers.get(timer.id) == timer:
            self.stuck = timer
        return self.stuck is None and all_settled(found)

    def _absorb(self, facts: list[Recorded]) -> None:
        documents = self._view.documents
        for name, keys in self._view.missing(facts).items():
            for key in keys:
                documents.learn(self._view.tables.get(name, CUSTOMERS), key, None)
        self._view.apply(facts)
        for key, (_, doc) in documents.changes().get(TIMERS.name, {}).items():
            if doc is None:
                self.timers.pop(key, None)
            else:
                self.timers[key] = timer_of(key, doc)
        documents.flushed()


def all_settled(facts: Iterable[Recorded]) -> bool:
    """Whether it is known here how every payment went; another process may have been faster."""
    begun: set[tuple[UUID, int]] = set()
    for recorded in facts:
        fact = recorded.fact
        if isinstance(fact, InvoicePaymentStarted):
            begun.add((fact.invoice_id, fact.attempt))
        elif isinstance(fact, InvoicePaid | InvoicePaymentFailed | InvoicePaymentPending):
            begun.discard((fact.invoice_id, fact.attempt))
    return not begun
