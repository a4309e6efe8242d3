"""One command as the rows of the log, and many commands as the arguments of one call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from adapters.arrays import bigints, byteas, integers, smallints, texts, uuids
from adapters.sealing import DataKey
from kernel.ports.event_store import Append, Receipt


FactRow = tuple[Any, ...]
"""stream, version, index, owner, name, data, sealed, organization, command, correlation,
causation, actor: the order of the ``f_`` arrays."""

Pack = Callable[[Any], Any]
FACT_ARRAYS: tuple[Pack, ...] = (
    *(integers, uuids, integers, smallints, uuids, texts, byteas, byteas),
    *(uuids, uuids, uuids, bigints, texts),
)


@dataclass(frozen=True, slots=True)
class Packed:
    """A command ready to send.

    ``expects`` maps each stream it rests on to its version. ``keys`` are those that its facts are
    sealed with, and whether they are new.
    """

    command: Append
    facts: tuple[FactRow, ...]
    expects: dict[UUID, int]
    writes: frozenset[object]
    keys: tuple[tuple[UUID, DataKey, bool], ...]
    secrets: tuple[tuple[UUID, bytes], ...]
    size: int

    @property
    def owner(self) -> UUID:
        """Whose data key seals the answer: the customer, if any fact is a customer's."""
        organization = self.command.organization
        return next((f.owner for f in self.command.facts if f.owner != organization), organization)


def written(command: Append) -> frozenset[object]:
    """Everything that two commands of one batch may not both write."""
    return frozenset(
        (
            *(fact.stream for fact in command.facts),
            *command.claims,
            *((command.idempotency.key,) if command.idempotency else ()),
        )
    )


def as_selected(packed: Packed, receipt: Receipt) -> Iterator[tuple[Any, ...]]:
    """The rows of an appended command as the event store selects them."""
    for position, row in enumerate(packed.facts, receipt.first):
        stream, version, index, owner, name, data, sealed, organization, *origin = row
        head = (position, stream, version, organization, owner, name, data, sealed)
        yield (*head, receipt.recorded_at, *origin, index)


def arguments(batch: Sequence[Packed]) -> list[Any]:
    """The arguments of ``append_commands``, in its order."""
    expects: list[tuple[Any, ...]] = []
    facts: list[tuple[Any, ...]] = []
    claims: list[tuple[Any, ...]] = []
    keys: list[tuple[Any, ...]] = []
    secrets: list[tuple[Any, ...]] = []
    idempotency: list[tuple[Any, ...]] = []
    for i, packed in enumerate(batch, 1):
        command = packed.command
        expects += [(i, *expected) for expected in packed.expects.items()]
        facts += [(i, *row) for row in packed.facts]
        claims += [(i, claim, command.command_id) for claim in command.claims]
        keys += [(i, subject, key.wrapped, new) for subject, key, new in packed.keys]
        secrets += [(i, *secret) for secret in packed.secrets]
        if row := command.idempotency:
            last = len(facts) if packed.facts else 0
            ids = (command.organization, row.key, row.request, command.command_id)
            idempotency.append((i, *ids, packed.owner, last))
    return [
        *_columns(expects, (integers, uuids, integers)),
        *_columns(facts, FACT_ARRAYS),
        *_columns(claims, (integers, uuids, uuids)),
        *_columns(keys, (integers, uuids, byteas, integers)),
        *_columns(secrets, (integers, uuids, byteas)),
        *_columns(idempotency, (integers, uuids, byteas, byteas, uuids, uuids, integers)),
    ]


def _columns(rows: list[tuple[Any, ...]], arrays: tuple[Pack, ...]) -> list[Any]:
    if not rows:
        return [pack(()) for pack in arrays]
    return [pack(column) for pack, column in zip(arrays, zip(*rows, strict=True), strict=True)]
