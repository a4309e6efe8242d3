"""Queries about webhook endpoints (spec: Other endpoints)."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Response

from kernel.errors import NotFound
from projections.webhook_endpoints import WEBHOOK_ENDPOINTS
from read_api.query import ServerList, ServerQuery


class WebhookEndpointNotFound(NotFound):
    """There is no such webhook endpoint."""

    code = "webhook_endpoint_not_found"


router = APIRouter(prefix="/webhook/endpoints", tags=["Webhooks"])


@router.get("/")
async def listed(query: ServerList) -> Response:
    """All endpoints, newest first."""
    return await query.page(WEBHOOK_ENDPOINTS, buckets={"deleted": ["false"]})


@router.get("/{endpoint_id}/")
async def one(endpoint_id: UUID, query: ServerQuery) -> Response:
    """One endpoint, without its secret."""
    return await query.one(WEBHOOK_ENDPOINTS, endpoint_id, WebhookEndpointNotFound())
