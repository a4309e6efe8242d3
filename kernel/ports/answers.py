"""The answers that requests with an Idempotency-Key got, for ever (design 12)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol
from uuid import UUID


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """What is known of a request that got through.

    ``status`` and ``body`` are None while the answer is not written yet; the facts are at
    ``position`` and any process can finish it. ``young``: whoever began may still be at it.
    ``erased``: the body's data key is gone.
    """

    request: bytes
    position: int
    status: int | None
    body: bytes | None
    erased: bool = False
    young: bool = False


class Answers(Protocol):
    """Where answers are kept; the row itself is inserted by the append."""

    async def find(self, organization: UUID, key: bytes) -> KeptAnswer | None:
        """The row of a key, or None when no such request got through."""

    async def keep(
        self, organization: UUID, key: bytes, *, status: int, body: bytes, secret: bool
    ) -> bool:
        """Write the answer, unless one is there: then False. ``secret`` ones stay for 24 hours."""
