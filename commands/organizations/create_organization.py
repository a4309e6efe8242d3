"""Begin a tenant."""

from __future__ import annotations

from dataclasses import dataclass

from aggregates.organization import decide
from aggregates.organization.state import ORGANIZATION
from commands.bus import handles
from commands.unit_of_work import UnitOfWork
from kernel.ids import derived_id


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateOrganization:
    """The tenant of the context is the new organization, with the secret it shall have."""

    merchant_of_record: bool = False


@handles(CreateOrganization)
async def create_organization(work: UnitOfWork, command: CreateOrganization) -> None:
    """Raises OrganizationAlreadyExists, InvalidSlug."""
    tenant = work.tenant
    state = await work.load(ORGANIZATION, tenant.organization, absent=True)
    secret_id = derived_id(tenant.organization, "secret")
    facts = decide.create(
        state,
        slug=tenant.slug,
        merchant_of_record=command.merchant_of_record,
        secret_id=secret_id,
        at=work.instant(),
    )
    work.record(tenant.organization, facts, owner=tenant.organization)
    work.keep_secret(secret_id, tenant.secret)
