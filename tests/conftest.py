"""What all tests share: the parts a machine has, one server for the whole run, a database each."""

import contextlib
import random
import secrets
import tempfile
from collections import Counter
from pathlib import Path

import pytest

from projections import positions
from tests import databases, parts, sharing
from tests.log_facts import FACTS, MASTER_KEY, UPCASTS


positions.VIEW_WAIT_SECONDS = 30.0
"""Before anybody takes it over: on two busy cores 2 s may pass in a moment, and a 503 is no bug."""

DATABASE_FIXTURES = {"database_url", "module_database_url", "empty_database_url", "server_url"}
JOURNEY_SECONDS = 300
"""Whole processes start one after the other, on a machine that does other things too."""

SEED = pytest.StashKey[int]()
SKIPPED = pytest.StashKey[Counter]()


def pytest_addoption(parser):
    parser.addoption(
        "--seed", type=int, help="the order of the tests, as an earlier run printed it"
    )
    parser.addoption(
        "--lives",
        type=int,
        help="so many new random lives meet the oracle, instead of the usual ones",
    )


def pytest_configure(config):
    unknown = parts.required() - parts.PARTS.keys()
    if unknown:
        raise pytest.UsageError(f"BILLSTREAM_REQUIRE names unknown parts: {sorted(unknown)}")
    given = getattr(config, "workerinput", {}).get("seed", config.getoption("--seed"))
    config.stash[SEED] = secrets.randbelow(10**6) if given is None else given
    config.stash[SKIPPED] = Counter()


def pytest_configure_node(node):
    node.workerinput["seed"] = node.config.stash[SEED]


def pytest_xdist_make_scheduler(config, log):
    return sharing.ByUnit(config, log)


def pytest_report_header(config):
    return f"order: --seed {config.stash[SEED]}"


def pytest_collection_modifyitems(config, items):
    """Mark what needs a database; shuffle the files, and the tests within each."""
    for item in items:
        if DATABASE_FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker("postgres")
        if item.get_closest_marker("journey") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(JOURNEY_SECONDS))
    order = random.Random(config.stash[SEED])
    files = sorted({_file(item) for item in items})
    rank = {file: (sharing.is_short(file), order.random()) for file in files}
    items.sort(key=lambda item: item.nodeid)  # parameters may come from a set
    chance = {item: order.random() for item in items}
    items.sort(key=lambda item: (rank[_file(item)], chance[item]))


def _file(item):
    return item.nodeid.split("::", 1)[0]


def pytest_runtest_setup(item):
    for part in parts.PARTS:
        if item.get_closest_marker(part) and (reason := parts.missing(part)):
            if part in parts.required():
                pytest.fail(f"{part} is required here, but: {reason}", pytrace=False)
            item.config.stash[SKIPPED][part] += 1
            pytest.skip(f"needs {part}: {reason}")


def pytest_sessionfinish(session):
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["skipped"] = dict(session.config.stash[SKIPPED])


def pytest_testnodedown(node):
    told = getattr(node, "workeroutput", {})  # one that crashed tells nothing
    node.config.stash[SKIPPED].update(told.get("skipped", {}))


def pytest_terminal_summary(terminalreporter, config):
    for part, count in sorted(config.stash[SKIPPED].items()):
        terminalreporter.write_line(
            f"NOT RUN: {count} tests need {part}: {parts.missing(part)}", yellow=True
        )


@pytest.fixture(scope="session")
def seed(pytestconfig):
    """What the run printed at its beginning: with --seed the same chances are taken again."""
    return pytestconfig.stash[SEED]


@pytest.fixture(scope="session")
def server_url():
    """The address of one PostgreSQL for the whole run; its databases come and go."""
    if given := databases.external():
        yield given
        return
    from adapters.embedded_postgres import EmbeddedPostgres  # noqa: PLC0415 an optional part

    with (
        tempfile.TemporaryDirectory(prefix="bs-", dir=databases.in_memory()) as folder,
        EmbeddedPostgres(Path(folder) / "pg") as server,
    ):
        yield server.url()


@pytest.fixture(scope="session")
def template(server_url):
    """A database with the whole schema and nothing in it."""
    with databases.fresh(server_url) as name:
        databases.migrate(databases.url(server_url, name))
        yield name


@pytest.fixture
def database_url(server_url, template):
    """A migrated database for this test alone."""
    with databases.fresh(server_url, template) as name:
        yield databases.url(server_url, name)


@pytest.fixture(scope="module")
def module_database_url(server_url, template):
    """A migrated database that the tests of one module share."""
    with databases.fresh(server_url, template) as name:
        yield databases.url(server_url, name)


@pytest.fixture
def empty_database_url(server_url):
    """A database without any schema."""
    with databases.fresh(server_url) as name:
        yield databases.url(server_url, name)


@pytest.fixture(scope="session")
def anyio_backend():
    return "asyncio"


@pytest.fixture
async def postgres_store(database_url):
    """The log in the test's database, with facts of no business (tests/log_facts.py)."""
    async with _open_store(database_url) as store:
        yield store


@pytest.fixture
async def second_store(database_url):
    """The same log as another process would open it."""
    async with _open_store(database_url) as store:
        yield store


@contextlib.asynccontextmanager
async def _open_store(url):
    from adapters.event_store import PostgresEventStore  # noqa: PLC0415 an optional part

    store = await PostgresEventStore.open(url, FACTS, UPCASTS, MASTER_KEY)
    try:
        yield store
    finally:
        await store.close()
