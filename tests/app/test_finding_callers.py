"""Who stands behind a key, and how soon a revocation is felt."""

import asyncio
import secrets
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from adapters.event_store import PostgresEventStore
from aggregates.api_key.events import KeyKind
from aggregates.api_key.secret import keep, spell
from aggregates.catalog import FACTS, UPCASTS
from aggregates.organization.decide import OrganizationNotFound
from aggregates.organization.state import organization_id
from app.key_ring import (
    FRESH_SECONDS,
    ApiKeyExpired,
    ApiKeyOfOtherEnvironment,
    InvalidApiKey,
    KeyRing,
)
from app.tenants import TAX, Tenants, terms
from commands.api_keys.change_key import ChangeKey
from commands.api_keys.issue_key import IssueKey
from commands.api_keys.revoke_key import RevokeKey
from commands.bus import Bus
from commands.context import Context
from commands.organizations.create_organization import CreateOrganization
from kernel.errors import InvalidFields, NotFound
from kernel.ports.payments import NO_PROVIDER
from kernel.tenant import Environment, Tenant
from tests.engines import MASTER_KEY


pytestmark = pytest.mark.anyio


class StandingClock:
    """A clock that is moved by hand."""

    def __init__(self):
        self.at = datetime(2026, 3, 1, tzinfo=UTC)

    def now(self):
        return self.at


class Process:
    """What one process has: a bus, and a key ring with caches of its own."""

    def __init__(self, store, clock):
        self.clock = clock
        self.bus = Bus(store, clock)
        self.tenants = Tenants(store, Environment.SANDBOX)
        self.keys = KeyRing(store, self.tenants, self.bus.cache, clock)

    async def act(self, tenant, command):
        command_id = uuid4()
        context = Context(
            tenant=tenant, actor="operator", command_id=command_id, correlation_id=command_id
        )
        return (await self.bus.dispatch(command, context)).result

    async def issue(self, tenant, kind=KeyKind.SERVER, **options):
        key = spell(kind, Environment.SANDBOX, secrets.token_bytes(32))
        await self.act(tenant, IssueKey(kind=kind, kept=keep(key), **options))
        return key


@pytest.fixture
async def store(database_url):
    store = await PostgresEventStore.open(database_url, FACTS, UPCASTS, MASTER_KEY)
    yield store
    await store.close()


@pytest.fixture
def process(store):
    return Process(store, StandingClock())


@pytest.fixture
async def tenant(process):
    tenant = Tenant(organization_id("acme"), "acme", b"s" * 32, Environment.SANDBOX, tax=TAX)
    await process.act(tenant, CreateOrganization())
    return tenant


async def test_a_key_leads_to_its_organization_and_kind(process, tenant):
    for kind in KeyKind:
        caller = await process.keys.authenticate(await process.issue(tenant, kind))
        assert (caller.tenant, caller.kind) == (tenant, kind)


async def test_what_nobody_issued_opens_nothing(process, tenant):
    await process.issue(tenant)
    stranger = spell(KeyKind.SERVER, Environment.SANDBOX, bytes(32))
    for key in (stranger, "", "nonsense", "\x00", "é" * 50, "x" * 100_000, "\udcff"):
        with pytest.raises(InvalidApiKey):
            await process.keys.authenticate(key)


async def test_a_key_of_the_other_environment_is_told_apart(process):
    with pytest.raises(ApiKeyOfOtherEnvironment, match="production"):
        await process.keys.authenticate(spell(KeyKind.SERVER, Environment.PRODUCTION, bytes(32)))


async def test_a_revocation_is_felt_at_once_here_and_soon_elsewhere(process, tenant, store):
    other = Process(store, process.clock)
    key = await process.issue(tenant)
    await process.keys.authenticate(key)
    await other.keys.authenticate(key)
    await process.act(tenant, RevokeKey(key_id=keep(key).id))
    with pytest.raises(InvalidApiKey):
        await process.keys.authenticate(key)

    async def refused():
        while True:
            try:
                await other.keys.authenticate(key)
            except InvalidApiKey:
                return
            await asyncio.sleep(0.02)

    await asyncio.wait_for(refused(), FRESH_SECONDS + 2)


async def test_a_key_ends_when_it_expires_also_while_it_is_remembered(process, tenant):
    until = process.clock.at + timedelta(hours=1)
    key = await process.issue(tenant, expires_at=until)
    await process.keys.authenticate(key)
    process.clock.at = until
    with pytest.raises(ApiKeyExpired):
        await process.keys.authenticate(key)
    with pytest.raises(InvalidFields):
        await process.issue(tenant, expires_at=until)


async def test_a_key_can_be_renamed_and_given_an_end(process, tenant):
    key = await process.issue(tenant)
    until = process.clock.at + timedelta(hours=1)
    changes = {"name": "ci", "expires_at": until}
    await process.act(tenant, ChangeKey(key_id=keep(key).id, changes=changes))
    process.clock.at = until
    with pytest.raises(ApiKeyExpired):
        await process.keys.authenticate(key)


async def test_the_keys_of_others_do_not_exist(process, tenant):
    stranger = Tenant(organization_id("other"), "other", b"t" * 32, Environment.SANDBOX)
    await process.act(stranger, CreateOrganization())
    key = await process.issue(tenant)
    for command in (
        RevokeKey(key_id=keep(key).id),
        ChangeKey(key_id=keep(key).id, changes={"name": "mine"}),
    ):
        with pytest.raises(NotFound):
            await process.act(stranger, command)
    await process.keys.authenticate(key)


async def test_tenants_are_found_by_slug_with_their_secret(process, tenant):
    assert await process.tenants.by_slug("acme") == tenant
    with pytest.raises(OrganizationNotFound):
        await process.tenants.by_slug("nobody")


def test_production_has_no_provider_until_one_is_connected():
    assert terms(Environment.PRODUCTION) == NO_PROVIDER
