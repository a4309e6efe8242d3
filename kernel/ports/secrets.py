"""Secrets that facts name by id: signing keys, portal tokens, provider credentials (design 4)."""

from __future__ import annotations

from typing import Protocol
from uuid import UUID


class Secrets(Protocol):
    """Reads secrets; they are written by the append of the facts that name them."""

    async def secret(self, secret: UUID) -> bytes | None:
        """The secret, or None when there is none (any more)."""
