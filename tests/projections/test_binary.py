"""What is packed here the server reads as it would have read the text."""

from uuid import UUID

import pytest
from psycopg import AsyncConnection

from projections.binary import array, copied


pytestmark = pytest.mark.anyio

COLUMNS = {
    "uuid": ["0195d3a0-7a20-42a5-9957-f6c1b5a78d3a", UUID(int=7), None],
    "text": ["", "Ada ☃", None],
    "bytea": [b"", b"\x00\xff", None],
    "boolean": [True, False, None],
    "timestamptz": [
        "1987-01-02T03:04:05.000001Z",
        "2026-02-07T06:02:05.999999Z",
        "2000-01-01T00:00:00.000000Z",
    ],
    "date": ["1999-12-31", "2026-02-28", None],
    "smallint": [-32768, 7, None],
    "integer": [-1, 2**31 - 1, None],
    "bigint": [-(2**63), 2**40, None],
}


@pytest.fixture
async def db(database_url):
    async with await AsyncConnection.connect(database_url, autocommit=True) as db:
        yield db


async def as_text(db, kind, values):
    """The values as the server reads them from text."""
    found = await db.execute(
        f"SELECT v::{kind} FROM unnest(%s::text[]) WITH ORDINALITY AS u(v, n) ORDER BY n",
        ([None if value is None else str(value) for value in values],),
    )
    return [value for (value,) in await found.fetchall()]


@pytest.mark.parametrize("kind", COLUMNS.keys() - {"bytea"})
async def test_an_array_is_what_its_text_would_be(db, kind):
    values = COLUMNS[kind]
    found = await db.execute(f"SELECT %b::{kind}[]", (array(kind, values),))
    assert await found.fetchone() == (await as_text(db, kind, values),)


@pytest.mark.parametrize("kind", COLUMNS)
async def test_an_empty_array_is_empty(db, kind):
    found = await db.execute(f"SELECT %b::{kind}[]", (array(kind, []),))
    assert await found.fetchone() == ([],)


async def test_rows_are_copied_as_the_arrays_are(db):
    kinds = list(COLUMNS)
    rows = list(zip(*COLUMNS.values(), strict=True)) * 5_000
    columns = ", ".join(f"{kind}_ {kind}" for kind in kinds)
    await db.execute(f"CREATE TABLE copied (n int GENERATED ALWAYS AS IDENTITY, {columns})")
    names = ", ".join(f"{kind}_" for kind in kinds)
    cursor = db.cursor()
    async with cursor.copy(f"COPY copied ({names}) FROM STDIN (FORMAT BINARY)") as copy:
        for piece in copied(kinds, rows):
            await copy.write(piece)
    found = await db.execute(f"SELECT {names} FROM copied ORDER BY n")
    arrays = [array(kind, COLUMNS[kind]) for kind in kinds]
    read = await db.execute("SELECT " + ", ".join(f"%b::{kind}[]" for kind in kinds), arrays)
    columns = await read.fetchone()
    assert await found.fetchall() == list(zip(*columns, strict=True)) * 5_000
