"""A broker for the tests of the stream, shared or one's own."""

import secrets
import shutil
import tempfile
from contextlib import contextmanager

import pytest

from tests import databases, parts
from tests.kafka.broker import Broker, given


@contextmanager
def _started():
    folder = tempfile.mkdtemp(prefix="kafka-", dir=databases.in_memory())
    broker = Broker(folder)
    try:
        yield broker.start()
    finally:
        broker.kill()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def kafka():
    """The address of the broker that all tests share; each has topics of its own."""
    if address := given():
        yield address
        return
    with _started() as broker:
        yield broker.address


@pytest.fixture
def own_broker():
    """A broker that this test may stop."""
    if reason := parts.no_own_broker():
        pytest.skip(reason)
    with _started() as broker:
        yield broker


@pytest.fixture
def prefix():
    """What the names of this test's topics begin with."""
    return f"test-{secrets.token_hex(4)}"
