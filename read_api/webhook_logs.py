"""The delivery log of webhooks (spec: Other endpoints, wire 12)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Query, Response

from kernel.event_kinds import EventKind
from projections.webhooks import log
from projections.webhooks.log import WINDOW, LogRange
from read_api.query import ServerList
from wire.http import filters


router = APIRouter(prefix="/webhook/logs", tags=["Webhooks"])

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Narrowing:
    """Which attempts alone."""

    endpoint: UUID | None = None
    event_id: UUID | None = None
    event_type: Annotated[EventKind | None, Query(description="One kind of event.")] = None
    is_success: bool | None = None


@router.get("/")
async def listed(
    query: ServerList,
    only: Annotated[Narrowing, Depends()],
    start_date: filters.Day = None,
    end_date: filters.Day = None,
) -> Response:
    """Attempts of the last 30 days, newest first; dates narrow by the time of the attempt."""
    now = query.reader.clock.now()
    begin, end = now - WINDOW, log.next_hour(now) + _DAY
    if start_date is not None:
        begin = max(begin, datetime.combine(start_date, time(), UTC))
    if end_date is not None and end_date < end.date():
        end = datetime.combine(end_date, time(), UTC) + _DAY
    wanted = LogRange(
        organization=query.tenant.organization,
        begin=begin,
        end=end,
        endpoint=only.endpoint,
        event=only.event_id,
        kind=only.event_type,
        success=only.is_success,
    )
    found = await log.stretches(query.reader, wanted)
    count = sum(stretch.count for stretch in found)
    limit, offset = query.window()
    bodies = []
    if offset < count:
        bodies = await log.page(query.reader, wanted, found, limit, offset)
    return query.envelope(count, bodies)
