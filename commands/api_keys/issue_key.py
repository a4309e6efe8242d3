"""Hand out an API key."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from aggregates.api_key import decide
from aggregates.api_key.events import KeyKind
from aggregates.api_key.secret import Kept
from aggregates.api_key.state import API_KEY
from commands.bus import handles
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueKey:
    """What is kept of the key; the key itself stays with whoever made it."""

    kind: KeyKind
    kept: Kept
    name: str = ""
    expires_at: datetime | None = None


@handles(IssueKey)
async def issue_key(work: UnitOfWork, command: IssueKey) -> UUID:
    """The id of the key. Raises ApiKeyTaken, InvalidFields."""
    stream = command.kept.id
    state = await work.load(API_KEY, stream, absent=True)
    facts = decide.issue(
        state,
        kind=command.kind,
        name=command.name,
        kept=command.kept,
        expires_at=command.expires_at,
        at=work.instant(),
    )
    work.record(stream, facts, owner=work.tenant.organization)
    return stream
