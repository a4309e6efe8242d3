"""The first organization's keys: kept, given, and replaced once they no longer open anything."""

import pytest
from pydantic import SecretStr

from adapters.cannot_start import CannotStart
from aggregates.api_key.secret import keep
from app.data_dir import DataDir
from app.first_organization import SLUG, first_organization
from app.key_verbs import revoke
from app.settings import Settings
from app.wiring import Engine
from kernel.errors import Unauthenticated
from tests.engines import place


pytestmark = pytest.mark.anyio

GIVEN = "server_sandbox_given-by-the-environment"


@pytest.fixture
async def engine(database_url):
    engine = await Engine.open(place(database_url))
    yield engine
    await engine.close()


@pytest.fixture
def folder(tmp_path):
    return DataDir(tmp_path)


async def test_the_keys_stay_the_same_from_start_to_start(engine, folder):
    settings = Settings(data_dir=folder.path)
    first = await first_organization(engine, settings, folder)
    assert set(first) == {"server", "client"}
    assert await first_organization(engine, settings, folder) == first
    for kind, key in first.items():
        assert (await engine.keys.authenticate(key)).kind == kind


async def test_a_kept_key_that_was_revoked_is_replaced(engine, folder):
    settings = Settings(data_dir=folder.path)
    first = await first_organization(engine, settings, folder)
    await revoke(engine, SLUG, keep(first["server"]).id)
    second = await first_organization(engine, settings, folder)
    assert second["client"] == first["client"]
    assert second["server"] != first["server"]
    await engine.keys.authenticate(second["server"])
    with pytest.raises(Unauthenticated):
        await engine.keys.authenticate(first["server"])
    assert folder.read_keys() == second


async def test_a_given_key_that_was_revoked_stops_the_start(engine, folder):
    settings = Settings(data_dir=folder.path, server_key=SecretStr(GIVEN))
    assert (await first_organization(engine, settings, folder))["server"] == GIVEN
    await revoke(engine, SLUG, keep(GIVEN).id)
    with pytest.raises(CannotStart, match="BILLSTREAM_SERVER_KEY"):
        await first_organization(engine, settings, folder)
