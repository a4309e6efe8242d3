"""What reactions have in common: for whom and as whom they dispatch commands."""

from __future__ import annotations

from typing import Any, Protocol
from uuid import UUID

from commands.bus import Bus, Outcome
from commands.context import Context
from kernel.ids import derived_id
from kernel.ports.event_store import Recorded
from kernel.tenant import Tenant


class Tenants(Protocol):
    """Where a reaction finds the organization of a fact."""

    async def get(self, organization: UUID) -> Tenant:
        """The organization with this id."""


class Reactor:
    """Dispatches commands that follow from facts, again and again until they no longer conflict.

    The id of a command follows from the fact and the reaction, so that the same fact delivered
    twice dispatches the same command.
    """

    def __init__(self, name: str, bus: Bus, tenants: Tenants) -> None:
        """``name`` is the reaction's, as its checkpoint has it."""
        self.name = name
        self.bus = bus
        self._tenants = tenants

    async def dispatch(self, recorded: Recorded, command: Any, *words: object) -> Outcome:
        """Do what follows from a fact; ``words`` tell several commands of one fact apart."""
        context = Context(
            tenant=await self._tenants.get(recorded.organization),
            actor=f"worker:{self.name}",
            command_id=self._command_id(recorded, *words),
            correlation_id=recorded.correlation_id,
            causation=recorded.position,
            persistent=True,
        )
        return await self.bus.dispatch(command, context)

    async def has_dispatched(self, recorded: Recorded, *words: object) -> bool:
        """Whether what follows from a fact is in the log: for what is right once, not again."""
        return bool(await self.bus.store.command_facts(self._command_id(recorded, *words)))

    def _command_id(self, recorded: Recorded, *words: object) -> UUID:
        return derived_id(recorded.organization, "reaction", self.name, recorded.position, *words)
