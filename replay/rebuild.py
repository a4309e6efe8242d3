"""Builds views anew from the first fact, beside the running ones, and swaps them (design 11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from psycopg import AsyncConnection, sql

from kernel.errors import Conflict, NotFound
from kernel.ports.event_store import EventStore
from projections import engine
from projections.view import View
from replay.fold import Folding, Progress
from replay.live import halt, live
from replay.shadow import Shadow, drop_schema


Connection = AsyncConnection[Any]

SHADOW = "views_shadow"
RETIRED = "views_retired"
LOCK = "billstream replay"
CLOSE_ENOUGH = 500
"""Facts that may be left for the swap itself, which the running views wait for."""


class ReplayRunning(Conflict):
    """Another replay of this database is running."""

    code = "replay_running"


class ViewsBehind(Conflict):
    """The running views are behind what was rebuilt: rebuild all of them, or let them catch up."""

    code = "views_behind"


class UnknownView(NotFound):
    """There is no such view."""

    code = "unknown_view"


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What a rebuild came to."""

    position: int
    resumed: bool
    tables: int


def chosen(views: Sequence[View], name: str | None) -> Sequence[View]:
    """All views, or the one of this name. Raises UnknownView."""
    found = [view for view in views if name in (None, view.name)]
    if not found:
        known = ", ".join(view.name for view in views)
        raise UnknownView(f"There is no view {name!r}; there are: {known}.")
    return found


async def rebuild(
    url: str, store: EventStore, views: Sequence[View], name: str | None, progress: Progress
) -> Rebuilt:
    """Rebuild all views, or one, and put them in place of the running ones.

    ``progress(position, target)`` is called often. A run that was killed is taken up where it last
    saved. Raises ReplayRunning, UnknownView, ViewsBehind.
    """
    wanted = chosen(views, name)
    async with await AsyncConnection.connect(url, autocommit=True, prepare_threshold=0) as db:
        await lock(db)
        await drop_schema(db, RETIRED)
        shadow = await Shadow.open(db, SHADOW, views)
        folding = Folding(store, shadow, views)
        whole = name is None
        await catch_up(folding, shadow, progress, whole=whole)
        await shadow.build_indexes()
        await catch_up(folding, shadow, progress, whole=whole)
        async with db.transaction():
            await _finish(folding, shadow, whole=whole)
            await (_swap_all(db) if whole else _swap_tables(db, wanted))
        await drop_schema(db, RETIRED)
        await drop_schema(db, SHADOW)
    return Rebuilt(shadow.position, shadow.resumed, sum(len(view.tables) for view in wanted))


async def lock(db: Connection) -> None:
    """One replay at a time. Raises ReplayRunning."""
    found = await db.execute("SELECT pg_try_advisory_lock(hashtext(%s))", (LOCK,))
    row = await found.fetchone()
    if not row or not row[0]:
        raise ReplayRunning


async def catch_up(folding: Folding, shadow: Shadow, progress: Progress, *, whole: bool) -> None:
    """Fold until little is left. Raises ViewsBehind."""
    while True:
        now = await live(shadow.db)
        target = now.furthest if whole else now.position
        if target < shadow.position:
            raise ViewsBehind
        progress(shadow.position, target)
        if target - shadow.position <= CLOSE_ENOUGH:
            return
        await folding.up_to(target, progress)


async def _finish(folding: Folding, shadow: Shadow, *, whole: bool) -> None:
    """Hold the running views and bring the shadow to exactly where they are."""
    await halt(shadow.db)
    now = await live(shadow.db)
    await folding.inside(now.furthest if whole else now.position)
    await shadow.db.execute(
        "UPDATE view_checkpoints SET epoch = (SELECT max(epoch) FROM"
        f" {engine.SCHEMA}.view_checkpoints)"
    )


async def _swap_all(db: Connection) -> None:
    found = await db.execute(
        "SELECT obj_description(to_regnamespace(%s), 'pg_namespace')", (engine.SCHEMA,)
    )
    row = await found.fetchone()
    live_schema, shadow = sql.Identifier(engine.SCHEMA), sql.Identifier(SHADOW)
    rename = sql.SQL("ALTER SCHEMA {} RENAME TO {}")
    await db.execute(rename.format(live_schema, sql.Identifier(RETIRED)))
    await db.execute(rename.format(shadow, live_schema))
    mark = sql.Literal(row[0] if row else None)
    await db.execute(sql.SQL("COMMENT ON SCHEMA {} IS {}").format(live_schema, mark))


async def _swap_tables(db: Connection, views: Sequence[View]) -> None:
    await db.execute(f"CREATE SCHEMA {RETIRED}")
    for table in (table.name for view in views for table in view.tables):
        await db.execute(f"ALTER TABLE {engine.SCHEMA}.{table} SET SCHEMA {RETIRED}")
        await db.execute(f"ALTER TABLE {SHADOW}.{table} SET SCHEMA {engine.SCHEMA}")
        await db.execute(f"DELETE FROM {engine.SCHEMA}.counters WHERE view = %s", (table,))
        await db.execute(
            f"INSERT INTO {engine.SCHEMA}.counters SELECT * FROM {SHADOW}.counters WHERE view = %s",
            (table,),
        )
