"""The time of a license is over: say so once (wire 3)."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.license import decide
from commands.bus import handles
from commands.licenses.lookup import by_id
from commands.time import instant_for
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpireLicense:
    """Due when it expires."""

    license_id: UUID


@handles(ExpireLicense)
async def expire_license(work: UnitOfWork, command: ExpireLicense) -> None:
    """Nothing happens when it is too early, or was said."""
    held = await by_id(work, command.license_id)
    at = await instant_for(work, held.customer)
    work.record(held.state.id, decide.expire(held.state, at=at))
