"""Secrets that facts name by id: signing keys, portal tokens, provider credentials (design 4)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol
from uuid import UUID


class Secrets(Protocol):
    """Reads and forgets secrets; they are written by the append of the facts that name them."""

    async def secret(self, secret: UUID) -> bytes | None:
        """The secret, or None when there is none (any more)."""

    async def drop_secrets(self, secrets: Collection[UUID]) -> None:
        """Forget secrets for good; what is gone already stays so."""
