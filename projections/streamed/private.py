"""What a projector needs of views that another one keeps: tables of its own, beside theirs.

A view is kept by one kind of member, keyed or across keys. A member that reads a table of the other
kind projects that table for itself into a private schema, where it stands first on the search path.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from psycopg import AsyncConnection
from psycopg.conninfo import make_conninfo

from projections import engine
from projections.all_views import ACROSS_KEYS, READ_ACROSS, VIEWS
from projections.engine import Pass
from projections.table import Table
from projections.view import View


PREPARING: Final = 0x62696C6D
PARTITIONS_DDL: Final = (
    "CREATE TABLE IF NOT EXISTS view_partitions (member text, partition integer,"
    " next_offset bigint NOT NULL, position bigint NOT NULL, PRIMARY KEY (member, partition))"
)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of member: the ``views`` it projects, some of them ``private``, for itself alone."""

    name: str
    views: Sequence[View]
    private: Sequence[View]

    @property
    def schema(self) -> str:
        """Where its own tables are."""
        return f"{engine.SCHEMA}_{self.name}"

    @property
    def own(self) -> dict[str, Table]:
        """Its own tables, without bodies and counters: nobody asks for them."""
        return {
            table.name: replace(table, buckets=None, render=None)
            for view in self.private
            for table in view.tables
        }

    def url(self, database_url: str) -> str:
        """The database with this kind's search path."""
        path = f"{self.schema},{engine.SCHEMA},public"
        return make_conninfo(database_url, options=f"-csearch_path={path}")

    def new_pass(self) -> Pass:
        """Its writers, with nothing remembered."""
        running = Pass(self.views)
        running.tables |= self.own
        return running


KEYED: Final = Kind("keyed", VIEWS, ACROSS_KEYS)
ACROSS: Final = Kind("across", (*READ_ACROSS, *ACROSS_KEYS), READ_ACROSS)
KINDS: Final = (KEYED, ACROSS)


async def prepare(url: str, partitions: int) -> None:
    """Make what members keep besides the views; anew when the views are new."""
    db: AsyncConnection[Any]
    async with await AsyncConnection.connect(KEYED.url(url)) as db:
        await db.execute("SELECT pg_advisory_xact_lock(%s)", (PREPARING,))
        found = await db.execute(f"SELECT count(*) FROM {engine.SCHEMA}.view_partitions")
        if await found.fetchone() != (0,):
            return
        for kind in KINDS:
            await _make(db, kind, partitions)
        await db.execute(
            f"INSERT INTO {engine.SCHEMA}.view_checkpoints (name, position, epoch)"
            " VALUES (%s, 0, 0), (%s, 0, 0) ON CONFLICT DO NOTHING",
            (engine.CHECKPOINT, ACROSS.name),
        )


async def _make(db: AsyncConnection[Any], kind: Kind, partitions: int) -> None:
    await db.execute(f"DROP SCHEMA IF EXISTS {kind.schema} CASCADE")
    await db.execute(f"CREATE SCHEMA {kind.schema}")
    await db.execute("SELECT set_config('search_path', %s, true)", (kind.schema,))
    for statement in engine.ddl(kind.own.values()):
        await db.execute(statement)
    await db.execute(
        f"INSERT INTO {engine.SCHEMA}.view_partitions"
        " SELECT %s, n, 0, 0 FROM generate_series(0, %s) n",
        (kind.name, partitions - 1),
    )
