"""A merchant changes limit or expiry of a license, or deactivates it for good (wire 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from aggregates.license import decide
from aggregates.license.events import DisableReason
from aggregates.license.state import LICENSE
from commands.bus import handles
from commands.licenses.lookup import by_id
from commands.time import instant_for
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeLicense:
    """``changes`` holds what was named of activation_limit, expires_on and enabled."""

    license_id: UUID
    changes: Mapping[str, Any]


@handles(ChangeLicense)
async def change_license(work: UnitOfWork, command: ChangeLicense) -> UUID:
    """The license's id. Raises LicenseNotFound, InvalidFields, DisabledForGood, ClockAdvancing."""
    held = await by_id(work, command.license_id)
    at = await instant_for(work, held.customer)
    for name, value in command.changes.items():
        await _change(work, command.license_id, name, value, at)
    return command.license_id


async def _change(work: UnitOfWork, license_id: UUID, name: str, value: Any, at: datetime) -> None:
    state = await work.load(LICENSE, license_id)
    match name:
        case "activation_limit":
            work.record(license_id, decide.change_limit(state, value or 0, at=at))
        case "expires_on":
            work.record(license_id, decide.change_expiry(state, value, at=at))
        case "enabled" if value:
            decide.keep_enabled(state)
        case "enabled":
            reason = DisableReason.MERCHANT
            work.record(license_id, decide.disable(state, reason=reason, at=at))
