"""Facts in, rows out: the pass over a database, and every row it left there."""

from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
from psycopg import AsyncConnection

from app.wiring import with_views
from projections.all_views import VIEWS
from projections.engine import Pass
from tests.memory_store import MemoryStore


TABLES = [table for view in VIEWS for table in view.tables]


@dataclass
class Projected:
    """The views in one database."""

    db: AsyncConnection[Any]

    async def project(self, *batches):
        """Project batches as one process would; returns the rows."""
        await self.clear()
        running = Pass(VIEWS)
        for batch in batches:
            await self.step(running, batch)
        return await self.rows()

    async def restarted_between(self, *batches):
        """Project batches, forgetting all between them; returns the rows."""
        await self.clear()
        for batch in batches:
            await self.step(Pass(VIEWS), batch)
        return await self.rows()

    async def step(self, running, batch):
        await running.load(self.db, batch)
        running.apply(batch)
        async with self.db.transaction():
            await running.save(self.db)
        running.documents.flushed()

    async def clear(self):
        names = ", ".join([table.name for table in TABLES] + ["counters"])
        await self.db.execute(f"TRUNCATE {names}")

    async def rows(self):
        """Every row of every view, counters that are not zero included."""
        found = {}
        for table in TABLES:
            rows = await self.db.execute(f"SELECT * FROM {table.name} ORDER BY id")
            found[table.name] = await rows.fetchall()
        rows = await self.db.execute("SELECT * FROM counters WHERE n <> 0 ORDER BY 1, 2, 3, 4")
        return {**found, "counters": await rows.fetchall()}

    async def documents(self, table, column, value):
        """The documents of some rows."""
        found = await self.db.execute(f"SELECT doc FROM {table} WHERE {column} = %s", (value,))
        return [msgspec.json.decode(doc) for (doc,) in await found.fetchall()]


@pytest.fixture
async def projected(database_url):
    url = with_views(database_url)
    async with await AsyncConnection.connect(url, autocommit=True) as db:
        yield Projected(db)


async def recorded(histories):
    """The facts of histories as the log would hand them out."""
    store = MemoryStore()
    await histories.append_to(store)
    return store.log
