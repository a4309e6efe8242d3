"""The log by owners: for who needs all that belongs to some, and not all there is."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from kernel.ports.event_store import Recorded


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """Facts of some kinds of one organization: positions ``first`` to ``last``.

    They were recorded in ``[begin, end)``; None: at any time.
    """

    organization: UUID
    kinds: Collection[type]
    first: int
    last: int
    begin: datetime | None = None
    end: datetime | None = None


class OwnerLog(Protocol):
    """Reads the log by owners."""

    async def owners(
        self, wanted: Range, after: int, until: int, limit: int
    ) -> list[tuple[int, UUID]]:
        """Whose first fact of the range has a position beyond ``after`` and up to ``until``.

        At most ``limit`` of them, with that position, in its order.
        """

    async def facts(self, owner: UUID, after: int, until: int, limit: int) -> list[Recorded]:
        """What an owner owns beyond a position and up to another, in order, at most ``limit``."""
