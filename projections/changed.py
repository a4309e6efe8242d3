"""Which resources changed since they were last published (design 10).

A row per resource, written in the transaction that changes the resource. Nothing is written until a
publisher of resources has begun: its row in ``checkpoints`` says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from psycopg import AsyncConnection

from projections.binary import array
from projections.customers import CUSTOMERS
from projections.discounts import DISCOUNTS
from projections.features import FEATURES
from projections.invoices import INVOICES
from projections.orders import ORDERS
from projections.plans import PLAN_VERSIONS
from projections.products import PRODUCTS
from projections.refunds import REFUNDS
from projections.steps import Step
from projections.store import Changes
from projections.subscriptions import SUBSCRIPTIONS
from projections.table import Table
from projections.transactions import TRANSACTIONS


PUBLISHER: Final = "publish_resources_to_kafka"
RESOURCES: Final[Mapping[str, Table]] = {
    "customers": CUSTOMERS,
    "discounts": DISCOUNTS,
    "features": FEATURES,
    "invoices": INVOICES,
    "orders": ORDERS,
    "plans": PLAN_VERSIONS,
    "products": PRODUCTS,
    "refunds": REFUNDS,
    "subscriptions": SUBSCRIPTIONS,
    "transactions": TRANSACTIONS,
}
"""What has a topic of its own, by the last word of the topic's name."""

DDL: Final = (
    """CREATE TABLE IF NOT EXISTS changed_resources (
        resource text, id uuid, position bigint NOT NULL, PRIMARY KEY (resource, id))""",
    "CREATE INDEX IF NOT EXISTS changed_resources_order ON changed_resources (position)",
)
_NAMES: Final = {table.name: name for name, table in RESOURCES.items()}
_NOTE: Final = (
    "INSERT INTO public.changed_resources (resource, id, position)"
    " SELECT c.resource, c.id, %s FROM unnest(%s::text[], %s::uuid[]) AS c(resource, id)"
    " WHERE EXISTS (SELECT FROM public.checkpoints WHERE name = %s)"
    " ON CONFLICT (resource, id) DO UPDATE SET position = excluded.position"
)
_SCANNED: Final = "scanned"
"""The one row that is no resource: its position is the epoch of the views it was all read from."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A resource as it was when it changed at ``position``, or later."""

    resource: str
    id: UUID
    position: int


def note(changes: Mapping[str, Changes], position: int) -> Iterator[Step]:
    """Remember what a batch changed, in its transaction."""
    found = [
        (_NAMES[name], key) for name, keys in changes.items() if name in _NAMES for key in keys
    ]
    if found:
        names, ids = zip(*found, strict=True)
        yield _NOTE, (position, list(names), array("uuid", ids), PUBLISHER)


async def waiting(db: AsyncConnection[Any], limit: int) -> list[Changed]:
    """What is to be published, the oldest change first."""
    rows = await db.execute(
        "SELECT resource, id, position FROM public.changed_resources"
        " WHERE resource <> %s ORDER BY position LIMIT %s",
        (_SCANNED, limit),
    )
    return [Changed(*row) for row in await rows.fetchall()]


async def published(db: AsyncConnection[Any], done: Sequence[Changed]) -> None:
    """Forget what was published, unless it has changed again."""
    await db.execute(
        "DELETE FROM public.changed_resources c USING unnest(%s::text[], %s::uuid[], %s::bigint[])"
        " AS d(resource, id, position)"
        " WHERE c.resource = d.resource AND c.id = d.id AND c.position = d.position",
        [list(column) for column in zip(*map(_values, done), strict=True)],
        binary=True,
    )


async def is_everything_noted(db: AsyncConnection[Any]) -> bool:
    """Whether all was noted that the views have shown since they were last built anew."""
    found = await db.execute(
        "SELECT EXISTS (SELECT FROM public.changed_resources WHERE resource = %s AND position ="
        " (SELECT coalesce(max(epoch), 0) FROM view_checkpoints))",
        (_SCANNED,),
    )
    return await found.fetchone() == (True,)


async def note_everything(db: AsyncConnection[Any]) -> None:
    """Publish all there is, once for each time that the views were built anew.

    The lock waits for the batch under way, which may not have seen that a publisher has begun.
    """
    async with db.transaction():
        await db.execute("LOCK TABLE view_checkpoints IN SHARE MODE")
        found = await db.execute(
            "INSERT INTO public.changed_resources SELECT %s, %s, coalesce(max(epoch), 0)"
            " FROM view_checkpoints ON CONFLICT (resource, id) DO UPDATE"
            " SET position = excluded.position"
            " WHERE changed_resources.position <> excluded.position RETURNING position",
            (_SCANNED, UUID(int=0)),
        )
        if await found.fetchone() is None:
            return
        for name, table in RESOURCES.items():
            await db.execute(
                f"INSERT INTO public.changed_resources SELECT %s, t.id, 0 FROM {table.name} t"
                f" WHERE {table.visible} ON CONFLICT DO NOTHING",
                (name,),
            )


def by_resource(changes: Iterable[Changed]) -> dict[str, list[UUID]]:
    """The ids of each resource."""
    found: dict[str, list[UUID]] = {}
    for each in changes:
        found.setdefault(each.resource, []).append(each.id)
    return found


def _values(changed: Changed) -> tuple[str, UUID, int]:
    return changed.resource, changed.id, changed.position
