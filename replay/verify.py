"""Are the running views what the log says? Rebuilds them aside and compares row by row."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from psycopg import AsyncConnection

from kernel.ports.event_store import EventStore
from projections import engine
from projections.table import Table
from projections.view import View
from replay.fold import Folding, Progress
from replay.live import live
from replay.rebuild import ViewsBehind, catch_up, chosen, lock
from replay.shadow import Shadow, drop_schema


Connection = AsyncConnection[Any]

SCHEMA = "views_verify"
SHOWN = 20
"""Differences that are told in full, per table."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One row that is not what the log says."""

    table: str
    key: str
    what: str


@dataclass(frozen=True, slots=True)
class Verified:
    """``rows`` compared at ``position``; ``differing`` of them, the first ones told."""

    position: int
    rows: int
    differing: int
    first: tuple[Difference, ...]


async def verify(
    url: str, store: EventStore, views: Sequence[View], name: str | None, progress: Progress
) -> Verified:
    """Compare all views, or one, with what the log makes of them at the position they have.

    Writes go on meanwhile: the comparison is of one snapshot.
    """
    tables = [table for view in chosen(views, name) for table in view.tables]
    async with await AsyncConnection.connect(url, autocommit=True, prepare_threshold=0) as db:
        await lock(db)
        shadow = await Shadow.open(db, SCHEMA, views)
        folding = Folding(store, shadow, views)
        await catch_up(folding, shadow, progress, whole=False)
        async with db.transaction(force_rollback=True):
            await db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            now = await live(db)
            if now.position < shadow.position:
                raise ViewsBehind
            await folding.inside(now.position)
            verified = await _compare(db, tables, now.position)
        await drop_schema(db, SCHEMA)
    return verified


async def _compare(db: Connection, tables: Sequence[Table], position: int) -> Verified:
    rows = differing = 0
    first: list[Difference] = []
    for table in tables:
        found = await db.execute(f"SELECT count(*) FROM {engine.SCHEMA}.{table.name}")
        [(count,)] = await found.fetchall()
        number, some = await _differences(db, table)
        rows, differing = rows + count, differing + number
        first += some
    number, some = await _counter_differences(db, [table.name for table in tables])
    return Verified(position, rows, differing + number, (*first, *some))


async def _differences(db: Connection, table: Table) -> tuple[int, list[Difference]]:
    names = [name for name, _ in table.fields[1:]]
    live_row = ", ".join(f"l.{name}" for name in names)
    log_row = ", ".join(f"s.{name}" for name in names)
    found = await db.execute(
        f"SELECT count(*) OVER (), l.id, s.id, {live_row}, {log_row}"
        f" FROM {engine.SCHEMA}.{table.name} l FULL JOIN {SCHEMA}.{table.name} s ON l.id = s.id"
        f" WHERE l.id IS NULL OR s.id IS NULL OR ({live_row}) IS DISTINCT FROM ({log_row})"
        " ORDER BY coalesce(s.created, l.created) LIMIT %s",
        (SHOWN,),
        binary=True,
    )
    rows = await found.fetchall()
    told = [
        Difference(table.name, str(row[1] or row[2]), _what(names, row[1:3], row[3:]))
        for row in rows
    ]
    return (rows[0][0] if rows else 0), told


def _what(names: Sequence[str], ids: Sequence[Any], values: Sequence[Any]) -> str:
    live_id, log_id = ids
    if live_id is None:
        return "is missing"
    if log_id is None:
        return "is not in the log"
    half = len(names)
    told = []
    for name, is_now, should_be in zip(names, values[:half], values[half:], strict=True):
        if is_now != should_be:
            told += _parts(name, is_now, should_be)
    return "; ".join(told)


def _parts(name: str, is_now: Any, should_be: Any) -> list[str]:
    """What differs in one column; inside a document, by its keys."""
    if not isinstance(is_now, bytes) or not isinstance(should_be, bytes):
        return [f"{name} is {is_now!r}, should be {should_be!r}"]
    old, new = _loaded(is_now), _loaded(should_be)
    if old is None or new is None or old == new:
        return [f"{name} is {is_now!r}, should be {should_be!r}"]
    return [
        f"{name}.{key} is {old.get(key)!r}, should be {new.get(key)!r}"
        for key in sorted(old.keys() | new.keys())
        if old.get(key) != new.get(key)
    ]


def _loaded(text: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None  # a body with tokens in the place of live values
    return found if isinstance(found, dict) else None


async def _counter_differences(
    db: Connection, tables: Sequence[str]
) -> tuple[int, list[Difference]]:
    found = await db.execute(
        "SELECT count(*) OVER (), view, organization, bucket, block, l.n, s.n"
        f" FROM {engine.SCHEMA}.counters l FULL JOIN {SCHEMA}.counters s"
        " USING (view, organization, bucket, block)"
        " WHERE coalesce(l.n, 0) <> coalesce(s.n, 0) AND view = ANY(%s) LIMIT %s",
        (list(tables), SHOWN),
    )
    rows = await found.fetchall()
    told = [
        Difference(
            "counters",
            f"{view} {organization} {bucket} {block}",
            f"is {is_now or 0}, should be {should_be or 0}",
        )
        for _, view, organization, bucket, block, is_now, should_be in rows
    ]
    return (rows[0][0] if rows else 0), told
