"""Every adapter of the event store port, to be run through the same tests."""

import pytest

from tests.log_facts import FACTS, UPCASTS
from tests.memory_store import MemoryStore


@pytest.fixture
def memory_store():
    return MemoryStore(FACTS, UPCASTS)


@pytest.fixture(params=["memory", pytest.param("postgres", marks=pytest.mark.postgres)])
def store(request):
    return request.getfixturevalue(f"{request.param}_store")
