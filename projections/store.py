"""Reads and writes documents in bulk; the schema is the first one on the search path."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from psycopg import AsyncConnection

from projections import counters
from projections.binary import array, arrays
from projections.steps import Step
from projections.table import Doc, Table


Connection = AsyncConnection[Any]
Changes = Mapping[Any, tuple[Doc | None, Doc | None]]

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(dict[str, Any]).decode


async def load(db: Connection, table: Table, keys: Iterable[Any]) -> dict[Any, Doc]:
    """The documents that exist, by key."""
    found = await db.execute(
        f"SELECT id, doc FROM {table.name} WHERE id = ANY(%b::{table.key}[])",
        (array(table.key, list(keys)),),
        binary=True,
    )
    return {key: _decode(doc) for key, doc in await found.fetchall()}


def row(table: Table, key: Any, doc: Doc) -> tuple[Any, ...]:
    """The values of all columns of a row, in the order of ``table.fields``."""
    body = None if table.render is None else _encode(table.render(doc))
    columns = (doc.get(column.name) for column in table.columns)
    return (key, doc["organization"], doc["created"], *columns, _encode(doc), body)


def saving(tables: Mapping[str, Table], changes: Mapping[str, Changes]) -> Iterator[Step]:
    """What writes a batch's documents, removes the dropped ones, and moves the counters."""
    deltas: counters.Delta = Counter()
    for name, changed in changes.items():
        table = tables[name]
        counters.add_deltas(deltas, table, changed)
        rows = [row(table, key, new) for key, (_, new) in changed.items() if new is not None]
        if rows:
            yield table.upsert, arrays(table.kinds, rows)
        gone = [key for key, (old, new) in changed.items() if new is None and old is not None]
        if gone:
            yield table.remove, [array(table.key, gone)]
    if (moved := counters.parameters(deltas)) is not None:
        yield counters.UPSERT, moved
