"""The delivery log of webhooks (spec: Other endpoints, wire 12)."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

from fastapi import APIRouter, Response

from projections.webhooks import log
from projections.webhooks.log import WINDOW, LogRange
from read_api.query import ServerList
from wire.http import filters


router = APIRouter(prefix="/webhook/logs", tags=["Webhooks"])

_DAY = timedelta(days=1)


@router.get("/")
async def listed(
    query: ServerList, start_date: filters.Day = None, end_date: filters.Day = None
) -> Response:
    """Attempts of the last 30 days, newest first; dates narrow by the time of the attempt."""
    now = query.reader.clock.now()
    begin, end = now - WINDOW, now + _DAY
    if start_date is not None:
        begin = max(begin, datetime.combine(start_date, time(), UTC))
    if end_date is not None:
        end = min(end, datetime.combine(end_date, time.max, UTC))
    wanted = LogRange(query.tenant.organization, begin, end)
    count = await log.count(query.reader, wanted)
    limit, offset = query.window()
    bodies = await log.page(query.reader, wanted, limit, offset) if offset < count else []
    return query.envelope(count, bodies)
