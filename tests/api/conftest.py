"""Histories made by hand, read through HTTP: what the read side does with any facts."""

from contextlib import asynccontextmanager

import pytest

from tests.billing_facts import Histories
from tests.engines import running


@pytest.fixture
def happened():
    return Histories()


@pytest.fixture
def reading(database_url):
    """A client whose engine has projected some histories; nobody reacts to them."""

    @asynccontextmanager
    async def opened(histories):
        async with running(database_url, "views") as (engine, client):
            await histories.append_to(engine.store)
            await engine.positions.wait(await engine.store.head(), 60)
            yield client

    return opened
