"""An engine over a test database, spoken to over ASGI as a client would over a socket."""

import tempfile
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from uuid import UUID, uuid4

import httpx

from aggregates.api_key.events import KeyKind
from aggregates.organization.decide import OrganizationAlreadyExists
from aggregates.organization.state import organization_id
from app.place import Place
from app.tenants import TAX
from app.wiring import Engine
from commands.context import Context
from commands.organizations.create_organization import CreateOrganization
from kernel.errors import Unauthenticated
from kernel.tenant import Environment, Tenant
from wire.http.caller import Caller


MASTER_KEY = bytes(range(32))
ORGANIZATION = organization_id("default")
TENANT = Tenant(ORGANIZATION, "default", b"organization secret", Environment.SANDBOX, tax=TAX)
SERVER_KEY = "server_sandbox_test"
CLIENT_KEY = "client_sandbox_test"


class FixedKeys:
    """Two keys of one organization."""

    async def authenticate(self, key):
        kinds = {SERVER_KEY: KeyKind.SERVER, CLIENT_KEY: KeyKind.CLIENT}
        if key not in kinds:
            raise Unauthenticated
        return Caller(TENANT, UUID(int=7), kinds[key])


def place(database_url):
    return Place(
        database_url=database_url,
        environment=Environment.SANDBOX,
        master_key=MASTER_KEY,
        private_webhooks=True,
        files=Path(tempfile.mkdtemp(prefix="bs-files-")),
    )


async def found(engine):
    """Begin the organization, unless an earlier test of the same database did."""
    command_id = uuid4()
    context = Context(
        tenant=TENANT, actor="operator", command_id=command_id, correlation_id=command_id
    )
    with suppress(OrganizationAlreadyExists):
        await engine.bus.dispatch(CreateOrganization(merchant_of_record=True), context)


@asynccontextmanager
async def running(database_url, *workers):
    """An engine with its workers, or only those named, and a client with a server key."""
    engine = await Engine.open(place(database_url))
    await found(engine)
    engine.start_workers(*workers)
    await engine.positions.wait(await engine.store.head(), 60)
    transport = httpx.ASGITransport(engine.core_app(FixedKeys()))
    headers = {"Authorization": f"Bearer {SERVER_KEY}"}
    try:
        async with httpx.AsyncClient(
            transport=transport, base_url="https://billing.example/api/v1", headers=headers
        ) as client:
            yield engine, client
    finally:
        await engine.close()


async def positions(engine):
    """How many facts there are: what must not change when something is refused."""
    async with engine.store.pool.connection() as db:
        found = await db.execute("SELECT count(*) FROM events")
        return (await found.fetchone())[0]
