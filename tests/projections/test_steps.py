"""Many statements as one: all or nothing, and their parameters where they belong."""

import psycopg
import pytest
from psycopg import AsyncConnection

from projections.steps import execute


pytestmark = pytest.mark.anyio

PUT = "INSERT INTO kept SELECT * FROM unnest(%b::int[], %b::text[])"


@pytest.fixture
async def db(database_url):
    async with await AsyncConnection.connect(database_url, autocommit=True) as db:
        await db.execute("CREATE TABLE kept (id int PRIMARY KEY, word text)")
        yield db


async def kept(db):
    return await (await db.execute("SELECT id, word FROM kept ORDER BY id")).fetchall()


async def test_each_step_has_its_own_parameters(db):
    await execute(db, [(PUT, ([1, 2], ["one", "two"])), (PUT, ([3], ["100 % %s"]))])
    await execute(db, [("UPDATE kept SET word = %s WHERE id = %s", ("uno", 1))])
    assert await kept(db) == [(1, "uno"), (2, "two"), (3, "100 % %s")]


async def test_one_that_fails_undoes_the_others(db):
    await execute(db, [(PUT, ([1], ["one"]))])
    with pytest.raises(psycopg.errors.UniqueViolation):
        await execute(db, [(PUT, ([2], ["two"])), (PUT, ([1], ["again"]))])
    assert await kept(db) == [(1, "one")]


async def test_nothing_to_do_asks_nothing(db):
    await db.close()
    await execute(db, [])
