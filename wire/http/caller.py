"""Who calls: the API key behind a request (spec: Authentication, design 12)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Protocol
from uuid import UUID

from fastapi import Depends, Request

from aggregates.api_key.events import KeyKind
from kernel.errors import NotAllowed, NotFound, Unauthenticated
from kernel.tenant import Environment, Tenant
from wire.http.rate_limits import RateLimits


__all__ = ["AnyCaller", "Caller", "KeyKind", "Keys", "ServerCaller", "any_caller", "server_caller"]


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated caller."""

    tenant: Tenant
    key_id: UUID
    kind: KeyKind

    @property
    def actor(self) -> str:
        """How the log names the caller."""
        return f"key:{self.key_id}"


class Keys(Protocol):
    """Finds the caller behind a key."""

    async def authenticate(self, key: str) -> Caller:
        """The caller. Raises Unauthenticated."""


class MissingKey(Unauthenticated):
    """Authentication credentials were not provided."""

    code = "not_authenticated"


class ServerKeyRequired(NotAllowed):
    """A server key is needed for this operation."""

    code = "server_key_required"


async def any_caller(request: Request) -> Caller:
    """The caller, with a key of either kind."""
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not key.strip():
        raise MissingKey
    state = request.app.state
    keys: Keys = state.keys
    caller = await keys.authenticate(key.strip())
    limits: RateLimits | None = getattr(state, "rate_limits", None)
    if limits is not None:
        limits.take(caller.key_id)
    return caller


async def server_caller(caller: Annotated[Caller, Depends(any_caller)]) -> Caller:
    """The caller, who must hold a server key."""
    if caller.kind is not KeyKind.SERVER:
        raise ServerKeyRequired
    return caller


async def sandbox_caller(caller: Annotated[Caller, Depends(server_caller)]) -> Caller:
    """The caller, with a server key of the sandbox; elsewhere the path does not exist."""
    if caller.tenant.environment is not Environment.SANDBOX:
        raise NotFound
    return caller


AnyCaller = Annotated[Caller, Depends(any_caller)]
ServerCaller = Annotated[Caller, Depends(server_caller)]
