"""Tables of documents: what a view keeps, finds, counts and shows (design 5).

A row is a *document* (a neutral dict of JSON values), the columns that filters and sorts need, and
the response *body*, rendered once when the document changes, so that a GET sends bytes. What is
live in a body (design 5: a subscription's status inside an invoice) is a *splice*: the body holds a
token there, and the reader puts the value in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from kernel.tenant import Tenant


Doc = dict[str, Any]
"""JSON values only (str, int, bool, None, list, dict), so that a stored document reads back equal.

Instants are text as ``wire.times.instant`` makes it. Every document has ``organization`` (text) and
``created`` (position of the fact that made it: lists are ordered by it, newest first).
"""


@dataclass(frozen=True, slots=True)
class Present:
    """What a splice may depend on besides the row: the reader's clock, tenant and address."""

    now: datetime
    tenant: Tenant
    base_url: str


def same(value: Any, present: Present) -> Any:
    """The splice that shows the column as it is."""
    del present
    return value


@dataclass(frozen=True, slots=True)
class Splice:
    """A live value: the ``token`` in the body becomes the JSON of ``render(column, present)``.

    ``sql`` is an expression over the row ``t`` and the table's joins. A ``bytes`` value is put in
    as it is (a body inside a body). Later splices also apply to what earlier ones put in.
    """

    token: str
    sql: str
    render: Callable[[Any, Present], Any] = same


@dataclass(frozen=True, slots=True)
class Column:
    """A column beside the document, for filters and sorts; its value is ``doc[name]``."""

    name: str
    type: str = "text"


@dataclass(frozen=True, kw_only=True)
class Table:
    """One table of documents.

    ``key`` is the SQL type of ``id``. ``buckets`` names the columns whose exact counts are kept, so
    that ``count`` and deep pages never scan. ``render`` makes the response body; None: no body.
    ``visible`` says, over ``t``, which rows can be found by id.
    """

    name: str
    key: str = "uuid"
    columns: tuple[Column, ...] = ()
    indexes: tuple[str, ...] = ()
    buckets: tuple[str, ...] | None = None
    render: Callable[[Doc], Any] | None = None
    visible: str = "true"
    joins: str = ""
    splices: tuple[Splice, ...] = ()

    @cached_property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """Name and SQL type of every column of a row, in order."""
        declared = tuple((column.name, column.type) for column in self.columns)
        head = (("id", self.key), ("organization", "uuid"), ("created", "bigint"))
        return (*head, *declared, ("doc", "bytea"), ("body", "bytea"))

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The SQL types of ``fields``."""
        return tuple(kind for _, kind in self.fields)

    def ddl(self) -> list[str]:
        """The statements that make the table in the first schema of the search path."""
        columns = ", ".join(f"{name} {kind}" for name, kind in self.fields)
        index = f"CREATE INDEX IF NOT EXISTS {self.name}_newest ON {self.name}"
        return [
            f"CREATE TABLE IF NOT EXISTS {self.name} ({columns}, PRIMARY KEY (id))",
            f"{index} (organization, created DESC, id)",
            *(
                f"CREATE INDEX IF NOT EXISTS {self.name}_{number} ON {self.name} {expression}"
                for number, expression in enumerate(self.indexes)
            ),
        ]

    @cached_property
    def upsert(self) -> str:
        """One statement for many rows: one array parameter per column (``projections.binary``)."""
        names = ", ".join(name for name, _ in self.fields)
        arrays = ", ".join(f"%b::{kind}[]" for _, kind in self.fields)
        changes = ", ".join(f"{name} = excluded.{name}" for name, _ in self.fields[1:])
        return (
            f"INSERT INTO {self.name} ({names}) SELECT * FROM unnest({arrays}) "
            f"ON CONFLICT (id) DO UPDATE SET {changes}"
        )

    @cached_property
    def remove(self) -> str:
        """The rows with some ids go."""
        return f"DELETE FROM {self.name} WHERE id = ANY(%b::{self.key}[])"

    def select_page(self, where: str, offset: int) -> str:
        """Body and splice columns of rows ``t``, newest first, with parameters limit and offset.

        A page beyond the first finds its ids alone before it joins, so that skipped rows cost
        little; the planner drops the joins that no condition needs.
        """
        rows, order = f"{self.name} t {self.joins}", "ORDER BY t.created DESC, t.id"
        page = f"{rows} WHERE {where} {order} LIMIT %s OFFSET %s"
        if not offset:
            return f"SELECT {self._shown()} FROM {page}"
        ids = f"SELECT t.id FROM {page}"
        return f"SELECT {self._shown()} FROM {rows} JOIN ({ids}) page ON page.id = t.id {order}"

    def select_by_id(self) -> str:
        """Organization, id, body and splice columns of the visible rows with some ids."""
        return (
            f"SELECT t.organization, t.id, {self._shown()} FROM {self.name} t {self.joins} "
            f"WHERE t.id = ANY(%b::{self.key}[]) AND {self.visible}"
        )

    def _shown(self) -> str:
        return ", ".join(["t.body", *(splice.sql for splice in self.splices)])
