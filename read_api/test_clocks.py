"""Queries about test clocks (design 6)."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Depends, Response

from projections.test_clocks import TEST_CLOCKS
from read_api.query import ServerList, ServerQuery
from wire.http.caller import sandbox_caller


router = APIRouter(
    prefix="/test-clocks", tags=["Test clocks"], dependencies=[Depends(sandbox_caller)]
)


@router.get("/")
async def listed(query: ServerList) -> Response:
    """All test clocks that were not deleted, newest first."""
    return await query.page(TEST_CLOCKS, buckets={"deleted": ["false"]})


@router.get("/{test_clock_id}/")
async def one(test_clock_id: UUID, query: ServerQuery) -> Response:
    """One test clock."""
    return await query.one(TEST_CLOCKS, test_clock_id)
