"""Rename an API key, or let it expire at another time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from aggregates.api_key import decide
from commands.api_keys.ownership import own_key
from commands.bus import handles
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeKey:
    """``changes`` may hold ``name`` and ``expires_at``."""

    key_id: UUID
    changes: Mapping[str, Any]


@handles(ChangeKey)
async def change_key(work: UnitOfWork, command: ChangeKey) -> None:
    """Raises ApiKeyNotFound, InvalidFields."""
    state = await own_key(work, command.key_id)
    decide.require(state)
    at = work.instant()
    if "name" in command.changes:
        work.record(command.key_id, decide.rename(state, name=command.changes["name"], at=at))
    if "expires_at" in command.changes:
        facts = decide.expire(state, expires_at=command.changes["expires_at"], at=at)
        work.record(command.key_id, facts)
