"""Reads and writes documents in bulk; the schema is the first one on the search path."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from psycopg import AsyncConnection

from projections import counters
from projections.table import Doc, Table


Connection = AsyncConnection[Any]
Changes = Mapping[Any, tuple[Doc | None, Doc | None]]

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(dict[str, Any]).decode


async def load(db: Connection, table: Table, keys: Iterable[Any]) -> dict[Any, Doc]:
    """The documents that exist, by key."""
    found = await db.execute(
        f"SELECT id, doc FROM {table.name} WHERE id = ANY(%b::{table.key}[])",
        (list(keys),),
        binary=True,
    )
    return {key: _decode(doc) for key, doc in await found.fetchall()}


def row(table: Table, key: Any, doc: Doc) -> tuple[Any, ...]:
    """The values of all columns of a row, in the order of ``table.fields``."""
    body = None if table.render is None else _encode(table.render(doc))
    columns = (doc.get(column.name) for column in table.columns)
    return (key, doc["organization"], doc["created"], *columns, _encode(doc), body)


async def save(db: Connection, tables: Mapping[str, Table], changes: Mapping[str, Changes]) -> None:
    """Write a batch's documents, remove the dropped ones, and move the counters."""
    deltas: counters.Delta = Counter()
    for name, changed in changes.items():
        table = tables[name]
        counters.add_deltas(deltas, table, changed)
        rows = [row(table, key, new) for key, (_, new) in changed.items() if new is not None]
        if rows:
            await db.execute(table.upsert(), [list(values) for values in zip(*rows, strict=True)])
        gone = [key for key, (old, new) in changed.items() if new is None and old is not None]
        if gone:
            await db.execute(f"DELETE FROM {name} WHERE id = ANY(%b::{table.key}[])", (gone,))
    if (moved := counters.parameters(deltas)) is not None:
        await db.execute(counters.UPSERT, moved)
