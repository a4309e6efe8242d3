"""Fires one timer: its command, or the question to the payment provider."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Protocol
from uuid import UUID

from commands.bus import Bus, Outcome
from commands.context import Context
from kernel.ids import derived_id
from kernel.ports.event_store import Recorded
from kernel.tenant import Tenant
from kernel.timer import Timer, TimerKind
from subscribers.timers.commands import COMMANDS


class Tenants(Protocol):
    """Finds organizations."""

    async def get(self, organization: UUID) -> Tenant:
        """The organization with this id."""


Ask = Callable[[Recorded], Awaitable[None]]
"""Asks the provider what became of what an InvoicePaymentPending or RefundPending is about."""


class Firing:
    """What schedulers do with a timer, whoever's clock it is on."""

    def __init__(self, bus: Bus, tenants: Tenants, ask: Ask) -> None:
        """``ask`` settles payments and refunds of unknown outcome."""
        self.bus = bus
        self.tenants = tenants
        self._ask = ask

    async def fire(self, timer: Timer, *, instant: datetime | None = None) -> Outcome | None:
        """Do what is due; None when it was only a question.

        ``instant`` is where the test clock stands. Whatever is raised, the timer is still there.
        """
        if timer.kind is TimerKind.RECONCILIATION:
            await self._ask_provider(timer)
            return None
        return await self.bus.dispatch(
            COMMANDS[timer.kind](timer), await self.context(timer, instant)
        )

    async def context(self, timer: Timer, instant: datetime | None) -> Context:
        """The envelope; the same timer has the same command id for ever."""
        command_id = command_id_of(timer)
        return Context(
            tenant=await self.tenants.get(timer.organization),
            actor="worker:timers",
            command_id=command_id,
            causation=timer.set_by,
            instant=instant,
            persistent=True,
        )

    async def _ask_provider(self, timer: Timer) -> None:
        for recorded in await self.bus.store.read(timer.set_by - 1, 1):
            await self._ask(recorded)


def command_id_of(timer: Timer) -> UUID:
    """The command that a timer dispatches."""
    return derived_id(timer.id, timer.due_at.isoformat(), timer.set_by)
