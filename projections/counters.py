"""Exact counts per bucket and block of positions, so that ``count`` and deep pages never scan.

A bucket is the tuple of a table's ``buckets`` columns. A block is a stretch of ``BLOCK`` positions
of the facts that made the rows: adding up blocks from the newest finds the block a deep page
starts in, and the page is read from there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from projections.binary import Array, arrays
from projections.table import Doc, Table


BLOCK = 1 << 13

DDL = (
    "CREATE TABLE IF NOT EXISTS counters (view text, organization uuid, bucket text[], "
    "block bigint, n bigint NOT NULL, PRIMARY KEY (view, organization, bucket, block))"
)

UPSERT = (
    "INSERT INTO counters AS c (view, organization, bucket, block, n) "
    "SELECT v, o, string_to_array(b, E'\\x01', ''), k, n FROM unnest(%b::text[], %b::uuid[], "
    "%b::text[], %b::bigint[], %b::bigint[]) AS u(v, o, b, k, n) "
    "ON CONFLICT (view, organization, bucket, block) DO UPDATE SET n = c.n + excluded.n"
)

KINDS = ("text", "uuid", "text", "bigint", "bigint")
"""The types of its parameters."""

Delta = Counter[tuple[str, str, str, int]]


def add_deltas(
    deltas: Delta, table: Table, changes: Mapping[Any, tuple[Doc | None, Doc | None]]
) -> None:
    """Add how a batch's changes of one table move its counters."""
    if table.buckets is None:
        return
    for old, new in changes.values():
        before = None if old is None else _cell(table, old)
        after = None if new is None else _cell(table, new)
        if before == after:
            continue
        if before is not None:
            deltas[before] -= 1
        if after is not None:
            deltas[after] += 1


def _cell(table: Table, doc: Doc) -> tuple[str, str, str, int]:
    bucket = "\x01".join(_text(doc.get(name)) for name in table.buckets or ())
    return (table.name, doc["organization"], bucket, doc["created"] // BLOCK)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def parameters(deltas: Delta) -> list[Array] | None:
    """The array parameters of UPSERT, or None when nothing moved."""
    moved = sorted((cell, n) for cell, n in deltas.items() if n)
    if not moved:
        return None
    return arrays(KINDS, [(*cell, n) for cell, n in moved])
