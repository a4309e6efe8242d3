"""Let an instance use a license (spec: Licenses)."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.license import decide
from aggregates.license.decide import Instance
from aggregates.license.refusals import UnknownLicenseKey
from aggregates.subscription.events import GIVE_ACCESS
from aggregates.subscription.state import SUBSCRIPTION
from commands.bus import handles
from commands.licenses.lookup import by_key
from commands.time import instant_for
from commands.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivateLicense:
    """``customer_id`` is the merchant's; None: whoever has the key."""

    key: str
    customer_id: str | None
    instance: Instance


@handles(ActivateLicense)
async def activate_license(work: UnitOfWork, command: ActivateLicense) -> UUID:
    """The license's id; nothing is recorded for an instance that is active already.

    Raises UnknownLicenseKey, ClockAdvancing, and what ``decide.activate`` raises.
    """
    held = await by_key(work, command.key)
    if command.customer_id not in (None, held.customer.customer_id):
        raise UnknownLicenseKey
    subscription = await work.load(SUBSCRIPTION, held.issued.sale.subscription.id)
    at = await instant_for(work, held.customer)
    has_access = subscription.status in GIVE_ACCESS
    facts = decide.activate(held.state, command.instance, has_access=has_access, at=at)
    work.record(held.state.id, facts)
    return held.state.id
