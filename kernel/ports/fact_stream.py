"""The log as others read it: facts as they are stored, under the names they were stored with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID


@dataclass(frozen=True, slots=True)
class StoredFact:
    """One fact with its envelope, neither decoded nor upcast.

    ``data`` is the JSON of the fields that are not personal; ``sealed`` holds the personal ones,
    encrypted with the data key of ``owner``, or None when there are none.
    """

    position: int
    stream: UUID
    version: int
    organization: UUID
    owner: UUID
    name: str
    data: bytes
    sealed: bytes | None
    recorded_at: datetime
    command_id: UUID
    correlation_id: UUID
    causation: int | None
    actor: str
    index: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which facts are wanted. None or empty: all.

    ``names`` are stored names; ``prefixes`` begin them (``invoice.``).
    """

    organization: UUID | None = None
    stream: UUID | None = None
    owner: UUID | None = None
    names: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stretch:
    """The wanted facts of a stretch of the log that ends at position ``until``.

    ``more``: the log goes on behind it.
    """

    facts: Sequence[StoredFact]
    until: int
    more: bool


class FactStream(Protocol):
    """Reads the log in position order; what is returned is committed and final."""

    async def read(self, after: int, limit: int, only: Selection) -> Stretch:
        """Facts beyond ``after``, at most ``limit``, in order.

        The stretch may hold nothing although there is more: go on from ``until``.
        """

    async def head(self) -> int:
        """The last position that is committed; 0 when the log is empty."""
