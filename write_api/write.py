"""How every write goes: once per Idempotency-Key, wait for the views, answer (design 5, 12)."""

from __future__ import annotations

import json
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any
from uuid import UUID

from fastapi import Depends, Request, Response

from aggregates.webhook_endpoint.target import PUBLIC_HTTPS, TargetRules
from commands.bus import Bus
from commands.context import Context
from kernel.errors import Conflict, Gone, Invalid, Refused, Unprocessable
from kernel.ids import derived_id, natural_id
from kernel.ports.answers import Answers, KeptAnswer
from kernel.ports.countries import UNKNOWN, Countries
from kernel.ports.event_store import IdempotencyClaim
from kernel.ports.files import FileStore
from kernel.ports.payments import PaymentProvider
from kernel.signing import same, signature
from kernel.tenant import Tenant
from projections.positions import VIEW_WAIT_SECONDS
from projections.reader import Reader
from wire.http.caller import Caller, ServerCaller, any_caller


MAX_KEY_LENGTH = 255


class IdempotencyKeyReused(Unprocessable):
    """The Idempotency-Key was used before with another request."""

    code = "idempotency_key_reused"


class RequestStillRunning(Conflict):
    """A request with this Idempotency-Key is still running."""

    code = "request_still_running"
    retry_after_seconds = 1


class AnswerErased(Gone):
    """The answer to this Idempotency-Key was erased."""

    code = "answer_erased"


class InvalidIdempotencyKey(Invalid):
    """An Idempotency-Key has 1 to 255 printable characters."""

    code = "invalid_idempotency_key"


@dataclass(slots=True)
class WriteServices:
    """What the write API works with."""

    bus: Bus
    reader: Reader
    answers: Answers
    running: set[tuple[UUID, bytes]]
    payments: PaymentProvider
    files: FileStore
    webhook_targets: TargetRules = PUBLIC_HTTPS
    countries: Countries = UNKNOWN


@dataclass(frozen=True, slots=True)
class Done:
    """A command that is in the log and in the views.

    ``stream`` is that of its first fact; None when it changed nothing. ``position`` is what a GET
    may send back in ``Billstream-Position``. ``facts`` are the command's, in order. ``fresh`` is
    false when an answer is finished later, from the facts: a secret that was made for the first
    answer is then null.
    """

    position: int
    stream: UUID | None
    tenant: Tenant
    reader: Reader
    fresh: bool = True
    facts: tuple[Any, ...] = ()

    def natural_id(self, kind: str, key: str) -> UUID:
        """The stream of a natural key of the organization."""
        return natural_id(self.tenant.secret, kind, key)


Answer = Callable[[Done], Awaitable[Response]]


class Write:
    """One write request: dispatch its command and answer it."""

    def __init__(self, request: Request, caller: Caller) -> None:
        """Give the request its command id, from the Idempotency-Key if there is one."""
        self.request = request
        self.caller = caller
        self.services: WriteServices = request.app.state.services
        self._key = self._idempotency_key()
        tenant = caller.tenant
        self.command_id = (
            uuid.uuid4()
            if self._key is None
            else derived_id(tenant.organization, "idempotency", self._key.hex())
        )

    @property
    def tenant(self) -> Tenant:
        """The caller's organization."""
        return self.caller.tenant

    def id(self, *words: object) -> UUID:
        """The id of something this request makes; a retry with the same key names the same."""
        return derived_id(self.command_id, *words)

    def natural_id(self, kind: str, key: str) -> UUID:
        """The stream of a natural key of the organization."""
        return natural_id(self.tenant.secret, kind, key)

    async def __call__(self, command: Any, answer: Answer, *, secret: bool = False) -> Response:
        """Do it, wait until clients can read it, and answer.

        ``answer`` must find all it needs in ``Done`` and the views: after a crash another process
        finishes the answer from the facts. ``command`` may be an async function that makes it, for
        what must be looked up first; it is not called when the answer is known already.
        ``secret``: the body shows a secret. It is repeated for 24 h, then answered anew with
        ``Done.fresh`` false, when the secret is null (design 12).
        """
        if self._key is None:
            done = await self._dispatch(command, None)
            return await self._answer(done, answer)
        claim = IdempotencyClaim(self._key, await self._fingerprint())
        ticket = (self.tenant.organization, self._key)
        if ticket in self.services.running:
            raise RequestStillRunning
        self.services.running.add(ticket)
        try:
            return await self._once(command, answer, claim, secret=secret)
        finally:
            self.services.running.discard(ticket)

    async def _once(
        self, command: Any, answer: Answer, claim: IdempotencyClaim, *, secret: bool
    ) -> Response:
        """Most keys are new, so decide first; whether the key is taken shows when that fails."""
        try:
            done = await self._dispatch(command, claim)
        except Refused:
            kept = await self.services.answers.find(self.tenant.organization, claim.key)
            if kept is None:
                raise
            if replayed := self._replayed(kept, claim, secret=secret):
                return replayed
            done = await self._done(kept.position)
        return await self._keep(await self._answer(done, answer), claim, secret=secret)

    def _replayed(
        self, kept: KeptAnswer, claim: IdempotencyClaim, *, secret: bool
    ) -> Response | None:
        """The answer that is kept; None when it is still to be made from the facts."""
        if not same(kept.request, claim.request):
            raise IdempotencyKeyReused from None
        if kept.erased:
            raise AnswerErased from None
        if kept.status is not None:
            return self._replay(kept, kept.status)
        if secret and kept.young:
            raise RequestStillRunning from None  # who began it alone knows the secret
        return None

    async def _keep(self, response: Response, claim: IdempotencyClaim, *, secret: bool) -> Response:
        """The answer, or the one that another process made of the same facts before."""
        organization, key = self.tenant.organization, claim.key
        body, status = bytes(response.body), response.status_code
        if await self.services.answers.keep(
            organization, key, status=status, body=body, secret=secret
        ):
            return response
        kept = await self.services.answers.find(organization, key)
        if kept is None or kept.status is None:
            return response
        return self._replay(kept, kept.status)

    async def preview(self, command: Any) -> Any:
        """What a command would come to; nothing is appended."""
        return await self.services.bus.preview(command, self._context(None))

    def _context(self, claim: IdempotencyClaim | None) -> Context:
        return Context(
            tenant=self.tenant,
            actor=self.caller.actor,
            command_id=self.command_id,
            idempotency=claim,
        )

    async def _dispatch(self, command: Any, claim: IdempotencyClaim | None) -> Done:
        context = self._context(claim)
        if callable(command):
            command = await command()
        outcome = await self.services.bus.dispatch(command, context)
        stream = outcome.facts[0].stream if outcome.facts else None
        known = tuple(new.fact for new in outcome.facts)
        return Done(outcome.position, stream, self.tenant, self.services.reader, facts=known)

    async def _done(self, position: int) -> Done:
        facts = await self.services.bus.store.command_facts(self.command_id)
        stream = facts[0].stream if facts else None
        known = tuple(recorded.fact for recorded in facts)
        reader = self.services.reader
        return Done(position, stream, self.tenant, reader, fresh=False, facts=known)

    async def _answer(self, done: Done, answer: Answer) -> Response:
        reader = self.services.reader
        seen = await reader.positions.wait(done.position, VIEW_WAIT_SECONDS)
        response = await answer(done)
        response.headers.setdefault("Billstream-Position", str(done.position))
        if not seen:
            response.headers["Billstream-Views-Behind"] = "true"
        return response

    def _replay(self, kept: KeptAnswer, status: int) -> Response:
        headers = {
            "Billstream-Position": str(kept.position),
            "Idempotent-Replayed": "true",
        }
        return Response(kept.body, status, headers, media_type="application/json")

    def _idempotency_key(self) -> bytes | None:
        text = self.request.headers.get("idempotency-key")
        if text is None:
            return None
        if not 1 <= len(text) <= MAX_KEY_LENGTH or not text.isprintable():
            raise InvalidIdempotencyKey
        return signature(self.tenant.secret, "key", text.encode())

    async def _fingerprint(self) -> bytes:
        """HMAC of method, path and canonical body: what "the same request" means."""
        canonical = _canonical(await self.request.body())
        method, path = self.request.method, self.request.url.path
        asked = f"{method} {path}\n".encode() + canonical
        return signature(self.tenant.secret, "request", asked)


def _canonical(body: bytes) -> bytes:
    """The same for bodies that mean the same; what is no JSON stands for itself."""
    try:
        return json.dumps(json.loads(body), sort_keys=True).encode()
    except (ValueError, RecursionError):
        return body


async def server_write(request: Request, caller: ServerCaller) -> Write:
    """A write that needs a server key."""
    return Write(request, caller)


async def any_write(request: Request, caller: Annotated[Caller, Depends(any_caller)]) -> Write:
    """A write that either kind of key may do."""
    return Write(request, caller)


ServerWrite = Annotated[Write, Depends(server_write)]
AnyWrite = Annotated[Write, Depends(any_write)]
