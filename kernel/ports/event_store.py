"""The log: per-aggregate streams of facts in one total order (design 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from kernel.errors import Conflict, Refused


class VersionConflict(Conflict):
    """Somebody else changed this at the same time. Try again."""

    code = "version_conflict"


class ClaimTaken(Refused):
    """A unique value is taken already."""

    code = "claim_taken"

    def __init__(self, claims: Sequence[UUID]) -> None:
        """Take the claims of the command that were not free."""
        self.claims = tuple(claims)
        super().__init__()


class IdempotencyKeyTaken(Refused):
    """Another request with this Idempotency-Key got in first."""

    code = "idempotency_key_taken"


@dataclass(frozen=True, slots=True)
class Recorded:
    """A fact as it stands in the log, with its envelope.

    ``owner`` is whose data key seals it and whose partition carries it: the customer's stream for
    all that a customer owns, else the organization's. ``index`` counts the facts of one command.
    """

    position: int
    stream: UUID
    version: int
    organization: UUID
    owner: UUID
    fact: Any
    name: str
    recorded_at: datetime
    command_id: UUID
    correlation_id: UUID
    causation: int | None
    actor: str
    index: int


@dataclass(frozen=True, slots=True)
class History:
    """The facts of one stream, oldest first; an absent stream has version 0 and no owner."""

    facts: tuple[Any, ...]
    version: int
    owner: UUID | None


@dataclass(frozen=True, slots=True)
class NewFact:
    """One fact to append. ``expected`` is the version of its stream before this command."""

    stream: UUID
    expected: int
    owner: UUID
    fact: Any


@dataclass(frozen=True, slots=True)
class IdempotencyClaim:
    """The row that makes a request with an Idempotency-Key happen once (design 12)."""

    key: bytes
    request: bytes


@dataclass(frozen=True, slots=True)
class NewSecret:
    """A secret that facts name by id; it never enters the log."""

    id: UUID
    value: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Append:
    """One command's outcome: appended whole or not at all.

    Facts are in the order they shall have in the log and may be of several streams. ``guards``
    are streams that the decision read and that must still have this version. ``claims`` are unique
    values (already hashed) that must be free. A command without facts is fine: it may claim.
    """

    organization: UUID
    command_id: UUID
    correlation_id: UUID
    actor: str
    causation: int | None = None
    facts: tuple[NewFact, ...] = ()
    guards: tuple[tuple[UUID, int], ...] = ()
    claims: tuple[UUID, ...] = ()
    secrets: tuple[NewSecret, ...] = ()
    idempotency: IdempotencyClaim | None = None


@dataclass(frozen=True, slots=True)
class Receipt:
    """Where a command's facts stand: positions ``first`` to ``last``.

    A command without facts has ``first > last`` and ``last`` is the head it was checked against.
    """

    first: int
    last: int
    recorded_at: datetime = field(compare=False)


class EventStore(Protocol):
    """Appends and loads; safe to call from many tasks at once."""

    async def load(self, stream: UUID) -> History:
        """All facts of a stream, upcast to their newest version, personal fields opened."""

    async def recorded(self, stream: UUID) -> list[Recorded]:
        """The same with their envelopes, oldest first."""

    async def append(self, command: Append) -> Receipt:
        """Append all facts of a command in one transaction, or none.

        Raises VersionConflict, ClaimTaken, IdempotencyKeyTaken, Unavailable.
        """

    async def read(self, after: int, limit: int) -> list[Recorded]:
        """Facts with a position beyond ``after``, in position order, at most ``limit``."""

    async def command_facts(self, command_id: UUID) -> list[Recorded]:
        """The facts of one command, in order; empty when it appended none."""

    async def head(self) -> int:
        """The last position that is committed."""
