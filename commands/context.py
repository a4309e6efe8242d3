"""Who asks, for whom, and why: everything about a command that is not its content."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from kernel.ports.event_store import IdempotencyClaim
from kernel.tenant import Tenant


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The envelope of a command.

    ``actor`` is ``key:<id>``, ``worker:<name>``, ``portal:<customer>``, ``buyer``, ``payer`` or
    ``operator``.
    ``correlation_id`` is the command that the chain began with; left out, it is this one.
    ``instant`` is set by timers and reactions alone: when the timer was due, or the fact happened,
    on the customer's test clock. Customers without one live in the present (``commands.time``).
    ``persistent`` commands (reactions) are decided again until they no longer conflict.
    """

    tenant: Tenant
    actor: str
    command_id: UUID
    correlation_id: UUID | None = None
    causation: int | None = None
    idempotency: IdempotencyClaim | None = None
    instant: datetime | None = None
    persistent: bool = False
