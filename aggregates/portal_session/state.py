"""A portal session as decisions see it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never
from uuid import UUID

from aggregates.portal_session.events import (
    PortalSessionEnded,
    PortalSessionEvent,
    PortalSessionIssued,
    PortalSessionStarted,
)
from kernel.fold import Fold
from kernel.ids import NIL


@dataclass(frozen=True, slots=True)
class PortalSession:
    """Issued, then started by exchanging its token, then ended; ``customer`` is the internal id."""

    customer: UUID = NIL
    issued: PortalSessionIssued | None = None
    started: PortalSessionStarted | None = None
    ended: bool = False


def evolve(state: PortalSession, event: PortalSessionEvent) -> PortalSession:
    """Total and free of rules: what is recorded is true."""
    match event:
        case PortalSessionIssued():
            return PortalSession(customer=event.customer_id, issued=event)
        case PortalSessionStarted():
            return replace(state, started=event)
        case PortalSessionEnded():
            return replace(state, ended=True)
        case _:
            assert_never(event)


PORTAL_SESSION = Fold("portal_session", PortalSession(), evolve)
