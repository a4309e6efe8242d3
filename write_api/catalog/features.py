"""Writes about features (wire 18.2)."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Response

from aggregates.feature.events import FeatureWording
from commands.catalog.archive_feature import ArchiveFeature
from commands.catalog.change_feature import ChangeFeature
from commands.catalog.create_feature import CreateFeature
from projections.features import FEATURES
from wire.catalog.feature import FeatureChangesIn, FeatureIn
from write_api import answers
from write_api.write import ServerWrite


router = APIRouter(prefix="/catalog/features", tags=["Catalog"])


@router.post("/", status_code=201)
async def create(body: FeatureIn, write: ServerWrite) -> Response:
    """Create a feature; identifier, type and meter are fixed from then on."""
    wording = FeatureWording(
        name=body.name, description=body.description or "", metadata=body.metadata or {}
    )
    command = CreateFeature(
        type=body.feature_type,
        wording=wording,
        identifier=body.identifier,
        meter=body.meter_words(),
    )
    return await write(command, answers.row(FEATURES, status=201))


@router.patch("/{feature_id}/")
async def change(feature_id: UUID, body: FeatureChangesIn, write: ServerWrite) -> Response:
    """Change name, description or metadata."""
    command = ChangeFeature(feature_id=feature_id, changes=body.changes())
    return await write(command, answers.row(FEATURES, feature_id))


@router.delete("/{feature_id}/", status_code=204)
async def archive(feature_id: UUID, write: ServerWrite) -> Response:
    """Take a feature out of the catalog; plans that grant it go on."""
    return await write(ArchiveFeature(feature_id=feature_id), answers.nothing())
