"""What an operator does from the command line: begin organizations, hand out keys."""

from __future__ import annotations

import secrets

from adapters.cannot_start import CannotStart
from aggregates.api_key import secret as spelling
from aggregates.api_key.decide import ApiKeyTaken
from aggregates.api_key.events import KeyKind
from aggregates.organization.decide import OrganizationAlreadyExists, OrganizationNotFound
from aggregates.organization.state import organization_id
from app.tenants import terms
from app.wiring import Engine
from commands.api_keys.issue_key import IssueKey
from commands.context import Context
from commands.organizations.create_organization import CreateOrganization
from kernel.ids import derived_id
from kernel.tenant import Tenant


OPERATOR = "operator"


async def organization(
    engine: Engine, slug: str, *, merchant_of_record: bool = False
) -> tuple[Tenant, bool]:
    """The tenant of a slug, begun unless it is there; whether it was begun now."""
    stream = organization_id(slug)
    environment = engine.place.environment
    tenant = Tenant(stream, slug, secrets.token_bytes(32), environment, terms(environment))
    command = CreateOrganization(merchant_of_record=merchant_of_record)
    try:
        await engine.bus.dispatch(command, by_operator(tenant))
    except OrganizationAlreadyExists:
        return await existing(engine, slug), False
    return tenant, True


async def existing(engine: Engine, slug: str) -> Tenant:
    """The tenant of a slug. Raises CannotStart."""
    try:
        return await engine.tenants.by_slug(slug)
    except OrganizationNotFound as unknown:
        raise CannotStart(f"there is no organization {slug}") from unknown


def fresh_key(kind: KeyKind, tenant: Tenant) -> str:
    """A key nobody has had before."""
    return spelling.spell(kind, tenant.environment, secrets.token_bytes(32))


async def issue(engine: Engine, tenant: Tenant, kind: KeyKind, key: str, *, name: str = "") -> None:
    """Let the key open the organization; one that does already is fine.

    :raises CannotStart: the key is not spelled as one of this kind and environment.
    """
    start = f"{kind}_{tenant.environment}_"
    if not key.startswith(start) or len(key) == len(start):
        raise CannotStart(f"a {kind} key of this environment begins with {start}")
    try:
        await engine.bus.dispatch(
            IssueKey(kind=kind, kept=spelling.keep(key), name=name), by_operator(tenant)
        )
    except ApiKeyTaken:
        return


def by_operator(tenant: Tenant) -> Context:
    """The envelope of a command that comes from the command line."""
    command_id = derived_id(tenant.organization, secrets.token_hex(16))
    return Context(tenant=tenant, actor=OPERATOR, command_id=command_id)
