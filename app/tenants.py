"""Which organizations there are, with what commands and queries need to know of them."""

from __future__ import annotations

from uuid import UUID

from adapters.event_store import PostgresEventStore
from adapters.tax_ids import StandardTaxIds
from aggregates.organization.decide import OrganizationNotFound
from aggregates.organization.state import ORGANIZATION, organization_id
from kernel.ports.payments import NO_PROVIDER, SIMULATED, ProviderTerms
from kernel.ports.tax import TableTax
from kernel.tenant import Environment, Tenant


TAX = TableTax(StandardTaxIds())


class Tenants:
    """Tenants by id; slug and secret never change, so what was found once is kept."""

    def __init__(self, store: PostgresEventStore, environment: Environment) -> None:
        """Take the log that the organizations are in."""
        self._store = store
        self.environment = environment
        self._known: dict[UUID, Tenant] = {}

    async def get(self, organization: UUID) -> Tenant:
        """The organization with this id. Raises OrganizationNotFound."""
        known = self._known.get(organization)
        if known is None:
            known = self._known[organization] = await self._load(organization)
        return known

    async def by_slug(self, slug: str) -> Tenant:
        """The organization with this slug. Raises OrganizationNotFound."""
        return await self.get(organization_id(slug))

    async def _load(self, organization: UUID) -> Tenant:
        state = ORGANIZATION.of((await self._store.load(organization)).facts)
        if not state.exists:
            raise OrganizationNotFound
        secret = await self._store.secret(state.secret_id)
        if secret is None:
            raise LookupError(f"the secret of organization {state.slug} is gone")
        payments = terms(self.environment)
        return Tenant(organization, state.slug, secret, self.environment, payments, TAX)


def terms(environment: Environment) -> ProviderTerms:
    """Who takes payments in an environment: production never has the simulator (design 8)."""
    return SIMULATED if environment is Environment.SANDBOX else NO_PROVIDER
