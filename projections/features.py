"""The features view: what plans can grant."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from uuid import UUID

import msgspec

from aggregates.feature.events import FeatureArchived, FeatureCreated, FeatureReworded
from kernel.ports.event_store import Recorded
from kernel.tenant import Tenant
from projections.documents import Documents
from projections.reader import Condition, Reader, containing
from projections.table import Column, Doc, Table
from projections.view import View
from wire.catalog.feature import feature_out
from wire.times import instant


FEATURES = Table(
    name="features",
    columns=(
        Column("identifier"),
        Column("name"),
        Column("description"),
        Column("is_archived", "boolean"),
    ),
    buckets=("is_archived",),
    render=feature_out,
)

view = View("features", FEATURES)


@view.on(FeatureCreated)
def created(docs: Documents, recorded: Recorded, fact: FeatureCreated) -> None:
    """A new feature."""
    doc: Doc = msgspec.to_builtins(
        {
            "id": str(recorded.stream),
            "organization": str(recorded.organization),
            "created": recorded.position,
            "identifier": fact.identifier,
            "type": fact.type,
            "meter": fact.meter,
            "is_archived": False,
            "modified_on": instant(fact.occurred_at),
            **asdict(fact.wording),
        }
    )
    docs.put(FEATURES, recorded.stream, doc)


@view.on(FeatureReworded)
def reworded(docs: Documents, recorded: Recorded, fact: FeatureReworded) -> None:
    """Other words."""
    changed = {**asdict(fact.wording), "modified_on": instant(fact.occurred_at)}
    docs.put(FEATURES, recorded.stream, {**_known(docs, recorded), **changed})


@view.on(FeatureArchived)
def archived(docs: Documents, recorded: Recorded, fact: FeatureArchived) -> None:
    """Out of the lists; plans that grant it go on."""
    changed = {"is_archived": True, "modified_on": instant(fact.occurred_at)}
    docs.put(FEATURES, recorded.stream, {**_known(docs, recorded), **changed})


def matching(text: str) -> Condition:
    """Name, identifier or description contains the text, without case (wire 18.2)."""
    return containing(text, "t.name", "t.identifier", "t.description")


def _known(docs: Documents, recorded: Recorded) -> Doc:
    doc = docs.get(FEATURES, recorded.stream)
    if doc is None:
        raise LookupError(f"feature {recorded.stream} is not in the view")
    return doc


async def feature_bodies(
    reader: Reader, tenant: Tenant, features: Iterable[UUID]
) -> dict[UUID, bytes]:
    """The records of some features, as they are now."""
    sql = "SELECT t.id, t.body FROM features t WHERE t.organization = %s AND t.id = ANY(%s)"
    rows = await reader.rows(sql, (tenant.organization, list(features)))
    return dict(rows)
