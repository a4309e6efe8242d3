"""Queries: auth + one indexed query + bytes out (design 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from typing import Any
from uuid import UUID

import msgspec
from psycopg_pool import AsyncConnectionPool

from kernel.gathering import Gathering
from kernel.ports.clock import Clock
from kernel.tenant import Tenant
from projections.counters import BLOCK
from projections.positions import Positions
from projections.table import Present, Table


SHALLOW = 1_000
"""An offset beyond this is found through the block counters."""

MOST_SKIPPED = 2**62
"""No table has so many rows; PostgreSQL takes no larger offset than twice that."""

_encode = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True)
class Condition:
    """A filter that is not a bucket column: SQL over ``t`` with its parameters."""

    sql: str
    parameters: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """One page of a list: ``buckets`` filter by counted columns, ``conditions`` by anything."""

    page: int
    page_size: int
    buckets: Mapping[str, Sequence[str]]
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """The bodies of a page, newest first, and how many rows match in all."""

    count: int
    bodies: list[bytes]


class Reader:
    """The read side of one process."""

    def __init__(
        self, pool: AsyncConnectionPool[Any], positions: Positions, clock: Clock, base_url: str
    ) -> None:
        """``base_url`` is where signed links point to, without a trailing slash."""
        self.pool = pool
        self.positions = positions
        self.clock = clock
        self.base_url = base_url
        self._finding: dict[str, Gathering[tuple[UUID, Any], tuple[Any, ...] | None]] = {}

    def present(self, tenant: Tenant) -> Present:
        """What splices may depend on."""
        return Present(self.clock.now(), tenant, self.base_url)

    async def rows(
        self, sql: str, parameters: Sequence[Any] | Mapping[str, Any]
    ) -> list[tuple[Any, ...]]:
        """The rows of any query of a view."""
        async with self.pool.connection() as db:
            found = await db.execute(sql, parameters, binary=True)
            every: list[tuple[Any, ...]] = await found.fetchall()
            return every

    async def find(self, table: Table, tenant: Tenant, key: Any) -> bytes | None:
        """The body of one visible row of the organization, or None; finds share a query."""
        finding = self._finding.get(table.name)
        if finding is None:
            finding = self._finding[table.name] = Gathering(partial(self._find, table), most=100)
        row = await finding.submit((tenant.organization, key))
        if row is None or not table.splices:
            return None if row is None else bytes(row[0])
        return splice(table, row, self.present(tenant))

    async def _find(
        self, table: Table, wanted: list[tuple[UUID, Any]]
    ) -> list[tuple[Any, ...] | None]:
        rows = await self.rows(table.select_by_id(), (list({key for _, key in wanted}),))
        found = {(row[0], row[1]): row[2:] for row in rows}
        return [found.get(one) for one in wanted]

    async def first(self, table: Table, tenant: Tenant, *conditions: Condition) -> bytes | None:
        """The body of the newest row that meets all conditions, or None."""
        bodies = await self._bodies(table, tenant, conditions, (1, 0))
        return bodies[0] if bodies else None

    async def page(self, table: Table, tenant: Tenant, wanted: Wanted) -> Found:
        """One page, newest first, with the exact count of all that matches."""
        if table.buckets is None or wanted.conditions:
            return await self._scanned_page(table, tenant, wanted)
        offset = (wanted.page - 1) * wanted.page_size
        conditions = _bucket_conditions(wanted.buckets)
        blocks = await self._blocks(table, tenant, wanted.buckets)
        count = sum(n for _, n in blocks)
        if count <= offset:
            return Found(count, [])
        if offset > SHALLOW:
            start, offset = _skip(blocks, offset)
            conditions = (*conditions, start)
        paging = (wanted.page_size, offset)
        return Found(count, await self._bodies(table, tenant, conditions, paging))

    async def _scanned_page(self, table: Table, tenant: Tenant, wanted: Wanted) -> Found:
        """The same without counters; a page that is not full tells the count by itself."""
        conditions = (*wanted.conditions, *_bucket_conditions(wanted.buckets))
        offset = min((wanted.page - 1) * wanted.page_size, MOST_SKIPPED)
        bodies = await self._bodies(table, tenant, conditions, (wanted.page_size, offset))
        if len(bodies) < wanted.page_size and (bodies or not offset):
            return Found(offset + len(bodies), bodies)
        return Found(await self._scan_count(table, tenant, conditions), bodies)

    async def _bodies(
        self,
        table: Table,
        tenant: Tenant,
        conditions: Sequence[Condition],
        paging: tuple[int, int],
    ) -> list[bytes]:
        where, parameters = _where(tenant, conditions)
        found = await self.rows(table.select_page(where, paging[1]), (*parameters, *paging))
        if not table.splices:
            return [row[0] for row in found]
        present = self.present(tenant)
        return [splice(table, row, present) for row in found]

    async def _scan_count(
        self, table: Table, tenant: Tenant, conditions: Sequence[Condition]
    ) -> int:
        where, parameters = _where(tenant, conditions)
        sql = f"SELECT count(*) FROM {table.name} t {table.joins} WHERE {where}"
        return int((await self.rows(sql, parameters))[0][0])

    async def _blocks(
        self, table: Table, tenant: Tenant, buckets: Mapping[str, Sequence[str]]
    ) -> list[tuple[int, int]]:
        """Block and count, newest block first."""
        sql = "SELECT block, sum(n)::bigint FROM counters WHERE view = %s AND organization = %s"
        parameters: list[Any] = [table.name, tenant.organization]
        for name, values in buckets.items():
            sql += f" AND bucket[{(table.buckets or ()).index(name) + 1}] = ANY(%s::text[])"
            parameters.append(list(values))
        found = await self.rows(f"{sql} GROUP BY block ORDER BY block DESC", parameters)
        return [(block, n) for block, n in found]


def splice(table: Table, row: Sequence[Any], present: Present) -> bytes:
    """The body with its live values put in."""
    body: bytes = row[0]
    for declared, value in zip(table.splices, row[1:], strict=True):
        token = _encode(declared.token)
        if token in body:
            live = declared.render(value, present)
            body = body.replace(token, live if isinstance(live, bytes) else _encode(live))
    return body


def token(name: str) -> str:
    """The token of a live value: begins with NUL, which no client's text may hold."""
    return f"\x00{name}"


def containing(text: str, *columns: str) -> Condition:
    """Any of the columns contains the text, without case."""
    escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    either = " OR ".join(f"{column} ILIKE %s" for column in columns)
    return Condition(f"({either})", (f"%{escaped}%",) * len(columns))


def between(column: str, after: datetime | None, before: datetime | None) -> tuple[Condition, ...]:
    """The column lies between two instants, both included; None leaves that side open."""
    bounds = ((f"{column} >= %s", after), (f"{column} <= %s", before))
    return tuple(Condition(sql, (at,)) for sql, at in bounds if at is not None)


def on_days(column: str, first: date | None, last: date | None) -> tuple[Condition, ...]:
    """The column's day in UTC lies between two days, both included."""
    start = f"{column} >= %s::timestamp AT TIME ZONE 'UTC'"
    end = f"{column} < (%s::date + 1)::timestamp AT TIME ZONE 'UTC'"
    bounds = ((start, first), (end, last))
    return tuple(Condition(sql, (day,)) for sql, day in bounds if day is not None)


def _bucket_conditions(buckets: Mapping[str, Sequence[str]]) -> tuple[Condition, ...]:
    return tuple(
        Condition(f"t.{name}::text = ANY(%s::text[])", (list(values),))
        for name, values in buckets.items()
    )


def _where(tenant: Tenant, conditions: Sequence[Condition]) -> tuple[str, list[Any]]:
    everything = (Condition("t.organization = %s", (tenant.organization,)), *conditions)
    parameters = [parameter for condition in everything for parameter in condition.parameters]
    return " AND ".join(condition.sql for condition in everything), parameters


def _skip(blocks: Sequence[tuple[int, int]], offset: int) -> tuple[Condition, int]:
    """The newest block that a deep page reaches into, and the offset that is left inside it."""
    for block, n in blocks:
        if offset < n:
            return Condition("t.created < %s", ((block + 1) * BLOCK,)), offset
        offset -= n
    return Condition("false"), 0
