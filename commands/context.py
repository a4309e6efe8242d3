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

    ``actor`` is ``key:<id>``, ``worker:<name>``, ``portal:<customer>`` or ``operator``.
    ``instant`` is set by the scheduler of a test clock alone: the clock stands there.
    ``persistent`` commands (reactions) are decided again until they no longer conflict.
    """

    tenant: Tenant
    actor: str
    command_id: UUID
    correlation_id: UUID
    causation: int | None = None
    idempotency: IdempotencyClaim | None = None
    instant: datetime | None = None
    persistent: bool = False
