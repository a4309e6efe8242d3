"""Tokens that sign customers in to the portal (spec: Authentication 5, wire 20)."""

from __future__ import annotations

import secrets
from uuid import UUID

import msgspec
from fastapi import APIRouter, Response

from aggregates.portal_session.events import PortalSessionIssued
from aggregates.portal_session.token import digest_of, spell
from commands.portal.issue_portal_session import IssuePortalSession
from kernel.portal import portal_address
from wire.http.documented import gives
from wire.portal import PortalSessionIn, PortalSessionOut
from write_api.write import Done, ServerWrite


router = APIRouter(prefix="/portal", tags=["Customer portal"])


@router.post("/session/", responses=gives(PortalSessionOut))
async def issue(body: PortalSessionIn, write: ServerWrite) -> Response:
    """Get a token that signs a customer in to the portal, once, within 15 minutes.

    It is tied to the customer's email address: without one there is none (400), and when the
    address changes, the token and the session it was exchanged for end.
    """
    session_id = write.id("portal-session")
    secret = UUID(bytes=secrets.token_bytes(16), version=4)
    command = IssuePortalSession(
        session_id=session_id, customer_id=body.customer_id, digest=digest_of(str(secret))
    )

    async def answer(done: Done) -> Response:
        [issued] = (fact for fact in done.facts if isinstance(fact, PortalSessionIssued))
        shown: PortalSessionOut = {
            "token": spell(session_id, secret) if done.fresh else None,
            "email": issued.email or "",
            "customerPortalUrl": portal_address(done.reader.base_url, done.tenant),
        }
        return Response(msgspec.json.encode(shown), media_type="application/json")

    return await write(command, answer, secret=True)
