"""A second set of all views beside the running ones, in a schema of its own."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from psycopg import AsyncConnection, errors, sql

from projections import counters, engine
from projections import store as rows
from projections.binary import arrays, copied
from projections.store import Changes
from projections.table import Table
from projections.view import View


Connection = AsyncConnection[Any]
ROOT = Path(__file__).parents[1]
CODE = ("kernel", "aggregates", "wire", "projections")


def fingerprint() -> str:
    """A mark of the code that makes the views: a shadow is only resumed by the same code."""
    digest = hashlib.sha256()
    for file in sorted(f for folder in CODE for f in (ROOT / folder).rglob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()


@dataclass(slots=True)
class Shadow:
    """The tables under construction; ``position`` is how far they are."""

    db: Connection
    schema: str
    tables: Mapping[str, Table]
    position: int = 0
    resumed: bool = False

    @classmethod
    async def open(cls, db: Connection, schema: str, views: Sequence[View]) -> Self:
        """Make the tables, or take up those that a killed run of the same code left."""
        await db.execute("SELECT set_config('search_path', %s, false)", (f"{schema}, public",))
        await db.execute("SET synchronous_commit TO off")
        tables = {table.name: table for view in views for table in view.tables}
        shadow = cls(db, schema, tables)
        mark = fingerprint()
        found = await db.execute(
            "SELECT obj_description(to_regnamespace(%s), 'pg_namespace')", (schema,)
        )
        if await found.fetchone() == (mark,):
            await shadow._resume()
        else:
            await shadow._create(mark)
        return shadow

    async def _resume(self) -> None:
        found = await self.db.execute("SELECT position FROM view_checkpoints")
        row = await found.fetchone()
        self.position = int(row[0]) if row else 0
        self.resumed = self.position > 0

    async def _create(self, mark: str) -> None:
        name = sql.Identifier(self.schema)
        async with self.db.transaction():
            await self.db.execute(sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(name))
            await self.db.execute(sql.SQL("CREATE SCHEMA {}").format(name))
            await self.db.execute(
                sql.SQL("COMMENT ON SCHEMA {} IS {}").format(name, sql.Literal(mark))
            )
            for statement in (engine.CHECKPOINTS_DDL, counters.DDL):
                await self.db.execute(statement)
            for table in self.tables.values():
                await self.db.execute(table.ddl()[0])
            await self.db.execute(
                "INSERT INTO view_checkpoints (name, position, epoch) VALUES (%s, 0, 0)",
                (engine.CHECKPOINT,),
            )

    async def save(self, changes: Mapping[str, Changes], position: int) -> None:
        """Write what a stretch of the log changed, with its last position, in one transaction."""
        async with self.db.transaction():
            await self.write(changes, position)

    async def write(self, changes: Mapping[str, Changes], position: int) -> None:
        """The same inside the caller's transaction."""
        deltas: counters.Delta = Counter()
        for name, changed in changes.items():
            table = self.tables[name]
            counters.add_deltas(deltas, table, changed)
            await self._write_table(table, changed)
        if (moved := counters.parameters(deltas)) is not None:
            await self.db.execute(counters.UPSERT, moved)
        await self.db.execute("UPDATE view_checkpoints SET position = %s", (position,))
        self.position = position

    async def _write_table(self, table: Table, changed: Changes) -> None:
        fresh: list[tuple[Any, ...]] = []
        known: list[tuple[Any, ...]] = []
        gone: list[Any] = []
        for key, (old, new) in changed.items():
            if new is None:
                if old is not None:
                    gone.append(key)
            else:
                (fresh if old is None else known).append(rows.row(table, key, new))
        try:
            async with self.db.transaction():
                await self._copy(table, fresh)
        except errors.UniqueViolation:
            known += fresh  # rows that a writer puts without reading them, left by a killed run
        if known:
            await self.db.execute(table.upsert, arrays(table.kinds, known))
        if gone:
            await self.db.execute(
                f"DELETE FROM {table.name} WHERE id = ANY(%s::{table.key}[])", (gone,)
            )

    async def _copy(self, table: Table, fresh: Sequence[tuple[Any, ...]]) -> None:
        if not fresh:
            return
        names = ", ".join(name for name, _ in table.fields)
        async with self.db.cursor() as cursor:
            statement = f"COPY {table.name} ({names}) FROM STDIN (FORMAT BINARY)"
            async with cursor.copy(statement) as copy:
                for piece in copied(table.kinds, fresh):
                    await copy.write(piece)

    async def build_indexes(self) -> None:
        """Make what is cheaper to make once all rows are there, and the planner's statistics."""
        for table in self.tables.values():
            for statement in (*table.ddl()[1:], f"ANALYZE {table.name}"):
                await self.db.execute(statement)


async def drop_schema(db: Connection, schema: str) -> None:
    """Remove a schema and all in it, if it is there."""
    name = sql.Identifier(schema)
    await db.execute(sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(name))
