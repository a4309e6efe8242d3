"""Every adapter of the event store port, to be run through the same tests."""

import pytest

from adapters.event_store import PostgresEventStore
from tests.log_facts import FACTS, MASTER_KEY, UPCASTS
from tests.memory_store import MemoryStore


@pytest.fixture
async def postgres_store(database_url):
    store = await PostgresEventStore.open(database_url, FACTS, UPCASTS, MASTER_KEY)
    yield store
    await store.close()


@pytest.fixture
def memory_store():
    return MemoryStore(FACTS, UPCASTS)


@pytest.fixture(params=["memory", pytest.param("postgres", marks=pytest.mark.postgres)])
def store(request):
    return request.getfixturevalue(f"{request.param}_store")
