"""Queries about API keys (design 12)."""

from __future__ import annotations

from fastapi import APIRouter, Response

from projections.api_keys import API_KEYS
from read_api.query import ServerList


router = APIRouter(prefix="/organizations/keys", tags=["Organization"])


@router.get("/")
async def listed(query: ServerList) -> Response:
    """All keys that were not revoked, newest first; never the keys themselves."""
    return await query.page(API_KEYS, buckets={"revoked": ["false"]})
