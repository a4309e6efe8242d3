"""Rows of what merchants publish: offerings, pricing tables and promotions are kept alike."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import msgspec

from kernel.ports.event_store import Recorded
from kernel.publication import Publication
from projections import copies
from projections.documents import Documents
from projections.reader import Condition
from projections.table import Doc, Table
from wire.times import instant


def put_new(
    docs: Documents, table: Table, recorded: Recorded, content: Any, *, identifier: str = ""
) -> None:
    """A new row; ``identifier`` for what has one."""
    named = {"identifier": identifier} if identifier else {}
    doc = {**copies.head(recorded), **named, **_said(content)}
    docs.put(table, recorded.stream, doc)


def put_changed(
    docs: Documents, table: Table, recorded: Recorded, content: Any, *, at: datetime
) -> None:
    """The row with other content."""
    known = _known(docs, table, recorded)
    changed = {**known, **_said(content), "modified_on": instant(at)}
    docs.put(table, recorded.stream, changed)


def put_archived(docs: Documents, table: Table, recorded: Recorded, *, at: datetime) -> None:
    """The row stays, out of the lists."""
    archived = {"status": Publication.ARCHIVED.value, "modified_on": instant(at)}
    docs.put(table, recorded.stream, {**_known(docs, table, recorded), **archived})


def with_status(statuses: Iterable[str]) -> Condition:
    """The rows that have one of the statuses."""
    return Condition("t.status = ANY(%s::text[])", (list(statuses),))


def _said(content: Any) -> Doc:
    plain = msgspec.to_builtins(content)
    return {"content": plain, "status": plain.get("publication", Publication.ACTIVE.value)}


def _known(docs: Documents, table: Table, recorded: Recorded) -> Doc:
    doc = docs.get(table, recorded.stream)
    if doc is None:
        raise LookupError(f"{table.name} {recorded.stream} is not in the view")
    return doc
