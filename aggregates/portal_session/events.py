"""What happens to a portal session; no fact holds its token or its cookie, only their digests."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from kernel.personal import Personal


@dataclass(frozen=True, slots=True, kw_only=True)
class PortalSessionIssued:
    """The merchant got a token for a customer, to be exchanged once, by ``expires_at`` (real time).

    ``digest`` is the SHA-256 of its secret half, in hex. ``email`` is the address as issued,
    ``email_changes`` how often it had changed by then: another change ends the session.
    """

    customer_id: UUID
    digest: str
    email: Personal[str | None] = None
    email_changes: int
    expires_at: datetime
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PortalSessionStarted:
    """The token was exchanged for a cookie that is good until ``expires_at`` (real time).

    ``digest`` is the SHA-256 of the cookie's secret half, in hex.
    """

    digest: str
    expires_at: datetime
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PortalSessionEnded:
    """The customer signed out."""

    occurred_at: datetime


PortalSessionEvent = PortalSessionIssued | PortalSessionStarted | PortalSessionEnded
