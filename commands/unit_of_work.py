"""Load, fold, decide, append: the one shape of every command (design 4).

A handler loads the streams it reads through ``load``, calls pure decisions and hands their facts
to ``record``. Nothing is written until the handler has returned; then all facts are appended in one
transaction, each stream with the version that was read. Streams that were only read are guarded:
the append is refused if they moved, so a decision never stands on a stale fact.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from commands.context import Context
from commands.state_cache import Folded, StateCache
from kernel.errors import Refused
from kernel.fold import Fold
from kernel.ids import natural_id
from kernel.ports.clock import Clock
from kernel.ports.event_store import Append, EventStore, History, NewFact, NewSecret
from kernel.tenant import Tenant


S = TypeVar("S")


@dataclass(slots=True)
class _Stream:
    """One stream as this decision sees it, its own new facts included."""

    read: Folded
    now: Folded
    guard: bool
    written: bool = False


class UnitOfWork:
    """The streams and facts of one attempt at one command."""

    def __init__(
        self,
        store: EventStore,
        cache: StateCache,
        clock: Clock,
        context: Context,
        *,
        attempt: int = 0,
        fresh: bool = False,
    ) -> None:
        """``fresh`` reads every stream from the log; ``attempt`` counts the tries from 0."""
        self.context = context
        self.attempt = attempt
        self.used_cache = False
        self._store = store
        self._cache = cache
        self._clock = clock
        self._fresh = fresh
        self._streams: dict[UUID, _Stream] = {}
        self._folds: dict[UUID, Fold[Any]] = {}
        self._facts: list[NewFact] = []
        self._claims: dict[UUID, Refused | None] = {}
        self._secrets: list[NewSecret] = []

    @property
    def tenant(self) -> Tenant:
        """The organization that the command is for."""
        return self.context.tenant

    def natural_id(self, kind: str, key: str) -> UUID:
        """The stream of a natural key of this organization (a customerId, a plan identifier)."""
        return natural_id(self.tenant.secret, kind, key)

    async def load(
        self, fold: Fold[S], stream: UUID, *, absent: bool = False, guard: bool = True
    ) -> S:
        """The state of a stream, facts recorded by this command included.

        ``absent`` says that the stream should not exist yet: the first attempt takes that for
        granted without asking the log, and the append proves it. ``guard=False`` gives up the
        check that a stream which is only read has not moved since it was read from the log; what
        comes from the cache is checked all the same, as another process may have moved it long ago.
        """
        known = self._streams.get(stream)
        if known is None:
            folded, remembered = await self._read(fold, stream, absent=absent)
            known = self._streams[stream] = _Stream(folded, folded, guard or remembered)
            self._folds[stream] = fold
        state: S = known.now.state
        return state

    async def _read(self, fold: Fold[Any], stream: UUID, *, absent: bool) -> tuple[Folded, bool]:
        """The stream, and whether it was not read from the log now."""
        if not self._fresh and (cached := self._cache.get(fold.kind, stream)):
            self.used_cache = True
            return cached, True
        if absent and self.attempt == 0 and not self._fresh:
            self.used_cache = True
            return Folded(fold.initial, 0, None, None), True
        return self._fold(fold, await self._store.load(stream)), False

    def _fold(self, fold: Fold[Any], history: History) -> Folded:
        last = max((fact.occurred_at for fact in history.facts), default=None)
        return Folded(fold.of(history.facts), history.version, history.owner, last)

    def owner(self, stream: UUID) -> UUID | None:
        """Whose facts a loaded stream holds; None when it has none."""
        return self._streams[stream].now.owner

    def record(self, stream: UUID, facts: Iterable[Any], *, owner: UUID | None = None) -> None:
        """Add the facts of a decision to a loaded stream. A new stream needs its ``owner``."""
        known = self._streams[stream]
        evolve = self._folds[stream].evolve
        for fact in facts:
            owned_by = known.now.owner or owner
            if owned_by is None:
                message = f"the first fact of {stream} needs an owner"
                raise ValueError(message)
            self._facts.append(NewFact(stream, known.read.version, owned_by, fact))
            known.now = Folded(
                evolve(known.now.state, fact),
                known.now.version + 1,
                owned_by,
                max(fact.occurred_at, known.now.last_occurred_at or fact.occurred_at),
            )
            known.written = True

    async def create(
        self, fold: Fold[S], stream: UUID, facts: Iterable[Any], *, owner: UUID
    ) -> None:
        """Record the first facts of a stream whose id this command minted."""
        await self.load(fold, stream, absent=True)
        self.record(stream, facts, owner=owner)

    def claim(self, claim: UUID, refusal: Refused | None = None) -> None:
        """Take a unique value. Taken already: ``refusal``, or another attempt when None."""
        self._claims[claim] = refusal

    def refusal_of(self, claims: Iterable[UUID]) -> Refused | None:
        """What to say when these claims are taken; None: decide again."""
        return next((r for c in claims if (r := self._claims.get(c))), None)

    def keep_secret(self, secret: UUID, value: bytes) -> None:
        """Store a secret that facts name by id."""
        self._secrets.append(NewSecret(secret, value))

    def now(self) -> datetime:
        """The wall clock, whatever instant the command stands at."""
        return self._clock.now()

    def instant(self, base: datetime | None = None, *, owner: UUID | None = None) -> datetime:
        """When this happens: the clock, but never before anything the decision read (design 4).

        On a test clock (``base``) only the streams of its customer (``owner``) count: the catalog
        was written in real time.
        """
        latest = base or self.context.instant or self._clock.now()
        for known in self._streams.values():
            if owner is not None and known.now.owner != owner:
                continue
            if known.now.last_occurred_at is not None:
                latest = max(latest, known.now.last_occurred_at)
        return latest

    @property
    def facts(self) -> tuple[NewFact, ...]:
        """What was recorded so far, in order."""
        return tuple(self._facts)

    @property
    def versions(self) -> dict[UUID, int]:
        """Every stream that was read, with the version it was read at."""
        return {stream: known.read.version for stream, known in self._streams.items()}

    @property
    def streams(self) -> tuple[UUID, ...]:
        """Every stream that was read."""
        return tuple(self._streams)

    def to_append(self) -> Append:
        """All of it as one atomic append."""
        context = self.context
        return Append(
            organization=context.tenant.organization,
            command_id=context.command_id,
            correlation_id=context.correlation_id or context.command_id,
            actor=context.actor,
            causation=context.causation,
            facts=tuple(self._facts),
            guards=tuple(
                (stream, known.read.version)
                for stream, known in self._streams.items()
                if known.guard and not known.written
            ),
            claims=tuple(self._claims),
            secrets=tuple(self._secrets),
            idempotency=context.idempotency,
        )

    def remember(self) -> None:
        """Keep the states that are now in the log for the next command, absence included."""
        for stream, known in self._streams.items():
            self._cache.put(self._folds[stream].kind, stream, known.now)

    def forget(self) -> None:
        """Drop what this attempt read: it was stale."""
        for stream in self._streams:
            self._cache.drop(self._folds[stream].kind, stream)

    def retried(self) -> UnitOfWork:
        """A new attempt that trusts nothing but the log."""
        return UnitOfWork(
            self._store,
            self._cache,
            self._clock,
            replace(self.context),
            attempt=self.attempt + 1,
            fresh=True,
        )
