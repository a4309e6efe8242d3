"""Give a license another key; the old one is dead at once (wire 3)."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.license import decide
from commands.billing.licensing import assign_key, new_key
from commands.bus import handles
from commands.licenses.lookup import by_id
from commands.time import instant_for
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class RegenerateLicenseKey:
    """Its instances go with the old key."""

    license_id: UUID


@handles(RegenerateLicenseKey)
async def regenerate_license_key(work: UnitOfWork, command: RegenerateLicenseKey) -> UUID:
    """The license's id. Raises LicenseNotFound, DisabledForGood, ClockAdvancing."""
    held = await by_id(work, command.license_id)
    state, sale = held.state, held.issued.sale
    at = await instant_for(work, held.customer)
    key = new_key(work, state.id, state.keys + 1, sale.plan.name)
    work.record(state.id, decide.regenerate_key(state, key, at=at))
    await assign_key(work, key, state.id, owner=sale.customer, at=at)
    return state.id
