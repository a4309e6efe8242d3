"""Who has facts of some kinds in a stretch of the log, and all that is theirs."""

from datetime import timedelta
from uuid import UUID

import pytest

from adapters.owner_log import PostgresOwnerLog
from kernel.ports.owner_log import Range
from tests.log_facts import (
    ALICE,
    BOB,
    NOON,
    ORGANIZATION,
    Named,
    Ticked,
    command,
    named,
    new,
    stream,
    ticked,
)


pytestmark = [pytest.mark.anyio, pytest.mark.postgres]
CYD = stream("cyd")


def everything(**narrower):
    wanted = {"organization": ORGANIZATION, "kinds": [Ticked, Named], "first": 1, "last": 99}
    return Range(**(wanted | narrower))


@pytest.fixture
async def log(postgres_store):
    """Positions 1 to 6: Alice, Bob, Alice, Cyd (named), Bob, Cyd."""
    seen = {}
    for owner, fact in (
        *((ALICE, ticked(1)), (BOB, ticked(2)), (ALICE, ticked(3))),
        *((CYD, named("Cyd")), (BOB, ticked(5)), (CYD, ticked(6))),
    ):
        await postgres_store.append(command(*new(owner, seen.get(owner, 0), fact, owner=owner)))
        seen[owner] = seen.get(owner, 0) + 1
    return PostgresOwnerLog(postgres_store)


async def test_each_owner_is_found_once_where_its_first_fact_is(log):
    assert await log.owners(everything(), 0, 99, 9) == [(1, ALICE), (2, BOB), (4, CYD)]
    assert await log.owners(everything(), 0, 99, 2) == [(1, ALICE), (2, BOB)]
    assert await log.owners(everything(), 2, 99, 9) == [(4, CYD)]
    assert await log.owners(everything(), 0, 1, 9) == [(1, ALICE)]
    assert await log.owners(everything(first=2, last=4), 1, 99, 9) == [
        *((2, BOB), (3, ALICE), (4, CYD)),
    ]


async def test_kinds_organizations_and_times_narrow(log, postgres_store):
    ticks = everything(kinds=[Ticked])
    assert await log.owners(ticks, 0, 99, 9) == [(1, ALICE), (2, BOB), (6, CYD)]
    assert await log.owners(everything(organization=UUID(int=9)), 0, 99, 9) == []
    times = [recorded.recorded_at for recorded in await postgres_store.read(0, 9)]
    since = everything(begin=times[2])
    assert (await log.owners(since, 0, 99, 9))[0] == (3, ALICE)
    assert await log.owners(everything(end=times[0]), 0, 99, 9) == []
    assert await log.owners(everything(end=NOON - timedelta(days=9)), 0, 99, 9) == []


async def test_all_that_an_owner_owns_is_read_in_order(log):
    assert [recorded.position for recorded in await log.facts(BOB, 0, 99, 9)] == [2, 5]
    assert [recorded.position for recorded in await log.facts(BOB, 2, 99, 9)] == [5]
    assert [recorded.position for recorded in await log.facts(BOB, 0, 4, 9)] == [2]
    assert [recorded.position for recorded in await log.facts(BOB, 0, 99, 1)] == [2]
    [first, _] = await log.facts(CYD, 0, 99, 9)
    assert first.fact.name == "Cyd"


async def test_older_versions_are_found_under_their_names(postgres_store):
    assert sorted(postgres_store.codec.names([Ticked])) == ["test.ticked.v1", "test.ticked.v2"]
