"""The organization that `up` begins with, and the keys that open it."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from adapters.cannot_start import CannotStart
from aggregates.api_key import secret as spelling
from aggregates.api_key.decide import ApiKeyTaken
from aggregates.api_key.events import KeyKind
from aggregates.organization.decide import OrganizationAlreadyExists, OrganizationNotFound
from aggregates.organization.state import organization_id
from app.data_dir import DataDir
from app.settings import Settings
from app.tenants import terms
from app.wiring import Engine
from commands.api_keys.issue_key import IssueKey
from commands.context import Context
from commands.organizations.create_organization import CreateOrganization
from kernel.ids import derived_id
from kernel.tenant import Environment, Tenant


SLUG = "default"
OPERATOR = "operator"


async def first_organization(
    engine: Engine, settings: Settings, folder: DataDir
) -> Mapping[str, str]:
    """Begin it unless it is there; the keys to show, none where they were shown before.

    A sandbox keeps its keys in the folder and shows them each time, production shows them once.
    """
    tenant, created = await organization(engine, SLUG, merchant_of_record=True)
    given = {
        kind.value: key.get_secret_value()
        for kind, key in (
            (KeyKind.SERVER, settings.server_key),
            (KeyKind.CLIENT, settings.client_key),
        )
        if key
    }
    sandbox = settings.environment is Environment.SANDBOX
    keys = {**(folder.read_keys() if sandbox else {}), **given}
    if sandbox or created:
        keys = {kind.value: keys.get(kind) or fresh_key(kind, tenant) for kind in KeyKind}
    if sandbox:
        folder.write_keys(keys)  # before they are issued: a kill in between loses none
    for kind, key in keys.items():
        await issue(engine, tenant, KeyKind(kind), key)
    return keys if sandbox or created else {}


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


async def issue(engine: Engine, tenant: Tenant, kind: KeyKind, key: str) -> None:
    """Let the key open the organization; one that does already is fine.

    :raises CannotStart: the key is not spelled as one of this kind and environment.
    """
    start = f"{kind}_{tenant.environment}_"
    if not key.startswith(start) or len(key) == len(start):
        raise CannotStart(f"a {kind} key of this environment begins with {start}")
    try:
        await engine.bus.dispatch(
            IssueKey(kind=kind, kept=spelling.keep(key), name="first"), by_operator(tenant)
        )
    except ApiKeyTaken:
        return


def by_operator(tenant: Tenant) -> Context:
    """The envelope of a command that comes from the command line."""
    command_id = derived_id(tenant.organization, secrets.token_hex(16))
    return Context(tenant=tenant, actor=OPERATOR, command_id=command_id, correlation_id=command_id)
