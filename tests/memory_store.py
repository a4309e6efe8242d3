"""The event store in memory, for tests of commands: same promises, no database.

Facts go through the codec, so that one which could not be stored fails here as well.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from adapters.codec import Codec
from aggregates.catalog import FACTS, UPCASTS
from kernel.ports.event_store import (
    Append,
    ClaimTaken,
    History,
    IdempotencyKeyTaken,
    Receipt,
    Recorded,
    VersionConflict,
)


CODEC = Codec(FACTS, UPCASTS)


def wall_clock():
    return datetime.now(UTC)


class MemoryStore:
    """Implements kernel.ports.event_store.EventStore; ``now`` tells when facts are recorded."""

    def __init__(self, facts=FACTS, upcasts=UPCASTS, *, now: Callable[[], datetime] = wall_clock):
        self._now = now
        self.log: list[Recorded] = []
        self.secrets: dict[UUID, bytes] = {}
        self._codec = CODEC if facts is FACTS and upcasts is UPCASTS else Codec(facts, upcasts)
        self._streams: dict[UUID, list[Recorded]] = {}
        self._facts: dict[UUID, list[Any]] = {}
        self._claims: set[UUID] = set()
        self._keys: set[tuple[UUID, bytes]] = set()

    async def load(self, stream: UUID) -> History:
        found = self._streams.get(stream)
        if not found:
            return History((), 0, None)
        return History(tuple(self._facts[stream]), len(found), found[-1].owner)

    def facts_of(self, stream: UUID) -> list[Any]:
        """The facts of one stream so far."""
        return self._facts.get(stream, [])

    async def recorded(self, stream: UUID) -> list[Recorded]:
        return list(self._streams.get(stream, []))

    async def append(self, command: Append) -> Receipt:
        self._check(command)
        first, at = len(self.log) + 1, self._now()
        if self.log:
            at = max(at, self.log[-1].recorded_at)
        new = [self._recorded(command, index, at) for index in range(len(command.facts))]
        for recorded in new:
            self._streams.setdefault(recorded.stream, []).append(recorded)
            self._facts.setdefault(recorded.stream, []).append(recorded.fact)
        self.log += new
        self._claims.update(command.claims)
        self.secrets.update({secret.id: secret.value for secret in command.secrets})
        if command.idempotency:
            self._keys.add((command.organization, command.idempotency.key))
        return Receipt(first, len(self.log), at)

    async def read(self, after: int, limit: int) -> list[Recorded]:
        return self.log[after : after + limit]

    async def command_facts(self, command_id: UUID) -> list[Recorded]:
        return [recorded for recorded in self.log if recorded.command_id == command_id]

    async def head(self) -> int:
        return len(self.log)

    def _check(self, command: Append) -> None:
        row = command.idempotency
        if row and (command.organization, row.key) in self._keys:
            raise IdempotencyKeyTaken
        expected = {new.stream: new.expected for new in command.facts} | dict(command.guards)
        if any(len(self._streams.get(s, [])) != version for s, version in expected.items()):
            raise VersionConflict
        if taken := [claim for claim in command.claims if claim in self._claims]:
            raise ClaimTaken(taken)

    def _recorded(self, command: Append, index: int, at: datetime) -> Recorded:
        new = command.facts[index]
        name, clear, personal = self._codec.encode(new.fact)
        before = sum(other.stream == new.stream for other in command.facts[:index])
        return Recorded(
            position=len(self.log) + 1 + index,
            stream=new.stream,
            version=new.expected + before + 1,
            organization=command.organization,
            owner=new.owner,
            fact=self._codec.decode(name, clear, personal),
            name=name,
            recorded_at=at,
            command_id=command.command_id,
            correlation_id=command.correlation_id,
            causation=command.causation,
            actor=command.actor,
            index=index,
        )
