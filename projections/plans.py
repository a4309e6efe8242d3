"""The plans view: one row per plan and one per version, with its prices and entitlements."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, get_args
from uuid import UUID

import msgspec

from aggregates.plan.events import (
    PlanArchived,
    PlanCreated,
    PlanDraftDiscarded,
    PlanDraftOpened,
    PlanEvent,
    PlanVersionPublished,
)
from aggregates.plan.versions import PlanVersion, changed_versions
from kernel.ids import derived_id
from kernel.offer import PlanFile
from kernel.ports.event_store import Recorded
from kernel.tenant import Tenant
from projections.documents import Documents
from projections.reader import Condition, Reader, containing
from projections.table import Column, Doc, Present, Splice, Table
from projections.view import View
from wire.catalog.plan import ARCHIVED_TOKEN, FILES_TOKEN, LATEST_TOKEN, plan_out
from wire.media import plan_files_out
from wire.times import instant


def _files(value: Any, present: Present) -> Any:
    """The files with links for the merchant."""
    identifier, encoded = value
    files, merchant = msgspec.json.decode(encoded), present.tenant.organization
    return plan_files_out(
        files, identifier, present.base_url, present.tenant, merchant, present.now
    )


PLANS = Table(
    name="plans",
    columns=(
        Column("identifier"),
        Column("product_id", "uuid"),
        Column("newest_version", "integer"),
        Column("published_version", "integer"),
        Column("archived", "boolean"),
    ),
    indexes=("(product_id)",),
)

PLAN_VERSIONS = Table(
    name="plan_versions",
    columns=(
        Column("plan_id", "uuid"),
        Column("version", "integer"),
        Column("identifier"),
        Column("name"),
        Column("description"),
        Column("files"),
    ),
    indexes=("(plan_id, version)",),
    render=plan_out,
    joins="JOIN plans p ON p.id = t.plan_id JOIN products r ON r.id = p.product_id",
    splices=(
        Splice(LATEST_TOKEN, "coalesce(p.published_version = t.version, false)"),
        Splice(ARCHIVED_TOKEN, "p.archived"),
        Splice(FILES_TOKEN, "ARRAY[t.identifier, t.files]", _files),
    ),
)

view = View("plans", PLANS, PLAN_VERSIONS, version=2)

NEWEST = Condition("t.version = p.newest_version")


def of_plan(plan: UUID, number: int | None) -> tuple[Condition, ...]:
    """The row of one version of a plan, the newest without a number."""
    chosen = NEWEST if number is None else Condition("t.version = %s", (number,))
    return Condition("t.plan_id = %s", (plan,)), chosen


ON_LIST = Condition("NOT p.archived AND NOT r.archived")
"""Archived plans and plans of archived products are left out of lists (wire 18.4)."""


def version_id(plan: UUID, version: int) -> UUID:
    """The key of a version's row."""
    return derived_id(plan, "version", version)


def _versions_of(fact: PlanEvent) -> tuple[int, ...]:
    """The versions that a fact reads or changes."""
    match fact:
        case PlanCreated():
            return (1,)
        case PlanDraftOpened():
            return (fact.version - 1, fact.version)
        case PlanArchived():
            return ()
        case _:
            return (fact.version,)


def _loads(recorded: Recorded, fact: Any) -> Iterable[tuple[Table, Any]]:
    yield PLANS, recorded.stream
    for number in _versions_of(fact):
        yield PLAN_VERSIONS, version_id(recorded.stream, number)


@view.on(*get_args(PlanEvent), loads=_loads)
def changed(docs: Documents, recorded: Recorded, fact: PlanEvent) -> None:
    """Fold the fact into the rows it touches, with the fold that decisions use."""
    plan = _plan(docs, recorded, fact)
    keys = {number: version_id(recorded.stream, number) for number in _versions_of(fact)}
    rows = [docs.get(PLAN_VERSIONS, key) for key in keys.values()]
    after = changed_versions(tuple(version_of(row) for row in rows if row is not None), fact)
    by_number = {version.number: version for version in after}
    for number, key in keys.items():
        version = by_number.get(number)
        docs.put(PLAN_VERSIONS, key, None if version is None else _row(plan, key, version))
    docs.put(PLANS, recorded.stream, plan)


def _plan(docs: Documents, recorded: Recorded, fact: PlanEvent) -> Doc:
    """The plan's own row after the fact."""
    known = docs.get(PLANS, recorded.stream) or {}
    match fact:
        case PlanCreated():
            return {
                "id": str(recorded.stream),
                "organization": str(recorded.organization),
                "created": recorded.position,
                "identifier": fact.identifier,
                "product_id": str(fact.product.id),
                "newest_version": 1,
                "published_version": None,
                "archived": False,
            }
        case PlanDraftOpened():
            return {**known, "newest_version": fact.version}
        case PlanDraftDiscarded():
            return {**known, "newest_version": fact.version - 1}
        case PlanVersionPublished():
            return {**known, "published_version": fact.version}
        case PlanArchived():
            return {**known, "archived": True}
        case _:
            return known


def _row(plan: Doc, key: UUID, version: PlanVersion) -> Doc:
    """A version's row; ``created`` is the plan's, so that an edit does not move it in lists."""
    return {
        "id": str(key),
        "organization": plan["organization"],
        "created": plan["created"],
        "plan_id": plan["id"],
        "version": version.number,
        "identifier": plan["identifier"],
        "product_id": plan["product_id"],
        "name": version.wording.name,
        "description": version.wording.description,
        "created_on": instant(version.created_on),
        "modified_on": instant(version.modified_on),
        "files": msgspec.json.encode(version.wording.files).decode(),
        "content": msgspec.to_builtins(version),
    }


def version_of(row: Doc) -> PlanVersion:
    """The version as it was folded into a row."""
    return msgspec.convert(row["content"], PlanVersion)


def matching(text: str) -> Condition:
    """Name, identifier or description contains the text, without case."""
    return containing(text, "t.name", "t.identifier", "t.description")


async def version_bodies(reader: Reader, tenant: Tenant, plan: UUID) -> list[bytes]:
    """The records of all versions of a plan, newest first; their numbers have no holes."""
    sql = "SELECT newest_version FROM plans WHERE organization = %s AND id = %s"
    found = await reader.rows(sql, (tenant.organization, plan))
    numbers = range(found[0][0], 0, -1) if found else ()
    finding = (reader.find(PLAN_VERSIONS, tenant, version_id(plan, n)) for n in numbers)
    return [body for body in await asyncio.gather(*finding) if body is not None]


@dataclass(frozen=True, slots=True)
class VersionOnFile:
    """A version with the default currency of its product as it is now."""

    version: PlanVersion
    default_currency: str | None


async def find_version(
    reader: Reader, tenant: Tenant, plan: UUID, number: int | None
) -> VersionOnFile | None:
    """One version of a plan, the newest without a number."""
    sql = (
        f"SELECT t.doc, r.currency FROM {PLAN_VERSIONS.name} t {PLAN_VERSIONS.joins} "
        "WHERE t.organization = %s AND t.plan_id = %s "
        "AND t.version = coalesce(%s::integer, p.newest_version)"
    )
    rows = await reader.rows(sql, (tenant.organization, plan, number))
    if not rows:
        return None
    doc, currency = rows[0]
    return VersionOnFile(version_of(msgspec.json.decode(doc)), currency)


async def file_of_plan(reader: Reader, tenant: Tenant, plan: UUID, file: UUID) -> PlanFile | None:
    """A file as the newest version that has it says."""
    sql = "SELECT files FROM plan_versions WHERE organization = %s AND plan_id = %s"
    rows = await reader.rows(f"{sql} ORDER BY version DESC", (tenant.organization, plan))
    for (files,) in rows:
        for each in msgspec.json.decode(files, type=list[PlanFile]):
            if each.id == file:
                return each
    return None
