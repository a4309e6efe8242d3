"""A customer has a new way to pay: what is open is collected at once (design 8)."""

from __future__ import annotations

from contextlib import suppress

from aggregates.payment_method.events import (
    PaymentMethodAdded,
    PaymentMethodCardChanged,
    PaymentMethodConfirmed,
    PaymentMethodMadeDefault,
)
from commands.invoices.collect_with_new_method import AlreadyTried, CollectWithNewMethod
from kernel.ports.event_store import Recorded
from subscribers.reacting import Reactor
from subscribers.runner import Reaction


NAME = "collect_with_new_methods"
WANTS = frozenset(
    {
        PaymentMethodAdded,
        PaymentMethodCardChanged,
        PaymentMethodConfirmed,
        PaymentMethodMadeDefault,
    }
)


def react(recorded: Recorded) -> CollectWithNewMethod | None:
    """Try the method, unless the customer has to confirm it first."""
    fact = recorded.fact
    if isinstance(fact, PaymentMethodAdded) and fact.needs_action:
        return None
    return CollectWithNewMethod(
        customer=recorded.owner,
        method_id=fact.method_id,
        caused_at=fact.occurred_at,
        was_added=isinstance(fact, PaymentMethodAdded),
    )


class CollectWithNewMethods:
    """The shell."""

    def __init__(self, reactor: Reactor) -> None:
        """``reactor`` carries this reaction's name."""
        self._reactor = reactor

    @property
    def reaction(self) -> Reaction:
        """As the runner drives it."""
        return Reaction(NAME, WANTS, self.handle)

    async def handle(self, recorded: Recorded) -> None:
        """Collect with one method, once: after a decline the schedule says when to try again."""
        command = react(recorded)
        if command is None or await self._reactor.has_dispatched(recorded):
            return
        with suppress(AlreadyTried):
            await self._reactor.dispatch(recorded, command)
