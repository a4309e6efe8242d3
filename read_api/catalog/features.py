"""Queries about features (wire 18.2)."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Response

from kernel.errors import NotFound
from projections.features import FEATURES, matching
from read_api.query import ServerList, ServerQuery
from wire.http import pages


class FeatureNotFound(NotFound):
    """No such feature."""

    code = "feature_not_found"


router = APIRouter(prefix="/catalog/features", tags=["Catalog"])


@router.get("/")
async def listed(query: ServerList, search: pages.Search = None) -> Response:
    """All features that are not archived, newest first."""
    conditions = (matching(search),) if search else ()
    return await query.page(
        FEATURES, *conditions, sizes=pages.CATALOG, buckets={"is_archived": ["false"]}
    )


@router.get("/{feature_id}/")
async def one(feature_id: UUID, query: ServerQuery) -> Response:
    """One feature, also an archived one."""
    return await query.one(FEATURES, feature_id, refusal=FeatureNotFound())
