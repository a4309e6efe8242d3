"""End an API key for good."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.api_key import decide
from commands.api_keys.ownership import own_key
from commands.bus import handles
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class RevokeKey:
    """Revoke the key with this id."""

    key_id: UUID


@handles(RevokeKey)
async def revoke_key(work: UnitOfWork, command: RevokeKey) -> None:
    """Raises ApiKeyNotFound, also when it was revoked before."""
    state = await own_key(work, command.key_id)
    work.record(command.key_id, decide.revoke(state, at=work.instant()))
