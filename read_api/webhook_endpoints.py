"""Queries about webhook endpoints (spec: Other endpoints)."""

from __future__ import annotations

from uuid import UUID

import msgspec
from fastapi import APIRouter, Response

from kernel.errors import NotFound
from projections.webhook_endpoints import WEBHOOK_ENDPOINTS
from projections.webhooks import statistics
from read_api.query import ServerList, ServerQuery
from wire.http.documented import gives
from wire.webhook_endpoint import WebhookStatisticsOut, webhook_statistics_out


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


@router.get("/{endpoint_id}/statistics/", responses=gives(WebhookStatisticsOut))
async def fares(endpoint_id: UUID, query: ServerQuery) -> Response:
    """How deliveries to an endpoint fare: what came through, what waits, since when it fails."""
    await query.one(WEBHOOK_ENDPOINTS, endpoint_id, WebhookEndpointNotFound())
    found = await statistics.of(query.reader, endpoint_id)
    return Response(
        msgspec.json.encode(webhook_statistics_out(endpoint_id, found)),
        media_type="application/json",
    )
