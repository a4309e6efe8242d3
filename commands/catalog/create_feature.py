"""Enter a feature into the catalog."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from aggregates.feature import decide
from aggregates.feature.events import FeatureWording
from aggregates.feature.state import FEATURE
from commands.bus import handles
from commands.catalog.identifiers import choose_identifier
from commands.unit_of_work import UnitOfWork
from kernel.entitlement import FeatureType, FeatureWords, MeterWords


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateFeature:
    """``identifier`` None: made from the name. ``meter`` is for METER features."""

    type: FeatureType
    wording: FeatureWording
    identifier: str | None = None
    meter: MeterWords | None = None


@handles(CreateFeature)
async def create_feature(work: UnitOfWork, command: CreateFeature) -> UUID:
    """The feature's id. Raises FeatureExists, InvalidFields."""
    wording = command.wording
    identifier, stream = await choose_identifier(work, FEATURE, command.identifier, wording.name)
    at = work.instant()
    words = FeatureWords(
        id=stream,
        identifier=identifier,
        name=wording.name,
        description=wording.description,
        metadata=wording.metadata,
        type=command.type,
        meter=command.meter,
        modified_on=at,
    )
    facts = decide.create(await work.load(FEATURE, stream), at=at, words=words)
    work.record(stream, facts, owner=work.tenant.organization)
    return stream
