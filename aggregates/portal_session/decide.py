"""Decisions about portal sessions (spec: Authentication 5, design 13: Links).

A session belongs to one customer under one email address. Its token is exchanged once, soon; what
it is exchanged for is good for some hours. All in real time, whatever clock the customer lives on.
"""

from __future__ import annotations

import hmac
from datetime import datetime, timedelta
from uuid import UUID

from aggregates.portal_session.events import (
    PortalSessionEnded,
    PortalSessionIssued,
    PortalSessionStarted,
)
from aggregates.portal_session.refusals import LinkNotValid, NotSignedIn
from aggregates.portal_session.state import PortalSession


TOKEN_VALID_FOR = timedelta(minutes=15)
SESSION_VALID_FOR = timedelta(hours=4)


def issue(
    *,
    customer: UUID,
    digest: str,
    email: str,
    email_changes: int,
    now: datetime,
    at: datetime,
) -> list[PortalSessionIssued]:
    """A token for a customer; ``now`` is real time, ``at`` the customer's."""
    return [
        PortalSessionIssued(
            customer_id=customer,
            digest=digest,
            email=email,
            email_changes=email_changes,
            expires_at=now + TOKEN_VALID_FOR,
            occurred_at=at,
        )
    ]


def require_unused(state: PortalSession, secret: str, *, email_changes: int, now: datetime) -> None:
    """Refuse a token that cannot be exchanged. Raises LinkNotValid, and never says why."""
    issued = state.issued
    if issued is None or not hmac.compare_digest(issued.digest, secret):
        raise LinkNotValid
    if state.started is not None or state.ended or now >= issued.expires_at:
        raise LinkNotValid
    if issued.email_changes != email_changes:
        raise LinkNotValid


def start(
    state: PortalSession,
    token: str,
    cookie: str,
    *,
    email_changes: int,
    now: datetime,
    at: datetime,
) -> list[PortalSessionStarted]:
    """Exchange the token, once; ``token`` and ``cookie`` are digests. Raises LinkNotValid."""
    require_unused(state, token, email_changes=email_changes, now=now)
    return [PortalSessionStarted(digest=cookie, expires_at=now + SESSION_VALID_FOR, occurred_at=at)]


def require_signed_in(state: PortalSession, *, email_changes: int, now: datetime) -> None:
    """Refuse what has expired, was signed out of, or whose email changed. Raises NotSignedIn."""
    if state.issued is None or state.started is None or state.ended:
        raise NotSignedIn
    if now >= state.started.expires_at or state.issued.email_changes != email_changes:
        raise NotSignedIn


def require_cookie(state: PortalSession, digest: str) -> None:
    """Refuse a cookie that is not this session's. Raises NotSignedIn."""
    if state.started is None or not hmac.compare_digest(state.started.digest, digest):
        raise NotSignedIn


def end(state: PortalSession, *, at: datetime) -> list[PortalSessionEnded]:
    """Sign out; twice changes nothing."""
    return [] if state.started is None or state.ended else [PortalSessionEnded(occurred_at=at)]
