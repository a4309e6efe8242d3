"""Free the place of an instance: by who holds the key, or by the merchant (wire 3)."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.license import decide
from aggregates.license.events import ReleaseReason
from aggregates.license.refusals import InstanceNotFound, UnknownLicenseKey
from commands.bus import handles
from commands.licenses.lookup import Held, by_id, by_key
from commands.time import instant_for
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class DeactivateLicense:
    """The key and an instance that uses it."""

    key: str
    instance_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class RevokeInstance:
    """The same by the merchant, or by a customer in the portal."""

    license_id: UUID
    instance_id: UUID


@handles(DeactivateLicense)
async def deactivate_license(work: UnitOfWork, command: DeactivateLicense) -> UUID:
    """The license's id. Raises InstanceNotFound when there is no such pair, ClockAdvancing."""
    try:
        held = await by_key(work, command.key)
    except UnknownLicenseKey:
        raise InstanceNotFound from None
    return await _release(work, held, command.instance_id, ReleaseReason.DEACTIVATED)


@handles(RevokeInstance)
async def revoke_instance(work: UnitOfWork, command: RevokeInstance) -> UUID:
    """The license's id. Raises LicenseNotFound, InstanceNotFound, ClockAdvancing."""
    held = await by_id(work, command.license_id)
    return await _release(work, held, command.instance_id, ReleaseReason.REVOKED)


async def _release(work: UnitOfWork, held: Held, instance_id: UUID, reason: ReleaseReason) -> UUID:
    at = await instant_for(work, held.customer)
    work.record(held.state.id, decide.deactivate(held.state, instance_id, reason=reason, at=at))
    return held.state.id
