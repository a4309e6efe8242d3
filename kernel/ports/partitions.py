"""The event stream as a member of a group reads it: partitions come and go, each in order."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from kernel.ports.event_store import Recorded


@dataclass(frozen=True, slots=True)
class StreamRecord:
    """One committed record of a partition."""

    offset: int
    value: bytes


@dataclass(frozen=True, slots=True)
class Polled:
    """What happened since the last poll.

    Partitions that are ``fresh`` give nothing before they are started; those that are ``lost`` may
    be read by another member already.
    """

    records: Mapping[int, Sequence[StreamRecord]]
    fresh: frozenset[int] = field(default_factory=frozenset)
    lost: frozenset[int] = field(default_factory=frozenset)


class Partitions(Protocol):
    """One member's partitions. What raises BrokerUnavailable wants ``close``, then ``begin``."""

    async def begin(self) -> None:
        """Join."""

    async def start(self, offsets: Mapping[int, int]) -> None:
        """Read these fresh partitions from these offsets on."""

    async def poll(self) -> Polled:
        """Wait a moment for records or for a change of what is assigned."""

    async def close(self) -> None:
        """Leave, so that others take over at once."""


@dataclass(frozen=True, slots=True)
class Told:
    """What one record says: all facts of its partition up to ``position`` have been there.

    ``recorded`` is the fact at this position; None in a heartbeat, and for what was not wanted.
    """

    position: int
    recorded: Recorded | None


class StreamFacts(Protocol):
    """Makes facts of the values of records."""

    async def read(self, values: Sequence[bytes], wanted: Container[type]) -> list[Told]:
        """What each value says, in order, personal fields opened."""
