"""Reports of usage and of events that meters count (wire 22)."""

from __future__ import annotations

import msgspec
from fastapi import APIRouter, Response

from aggregates.usage.events import UsageReported
from commands.usage.report_event import ReportEvent
from commands.usage.report_usage import ReportUsage
from wire.http.documented import gives
from wire.usage import EventIn, EventOut, UsageIn, UsageOut, event_out, usage_out
from write_api.write import Answer, Done, ServerWrite


router = APIRouter(prefix="/report", tags=["Usage"])


@router.post("/usage/", responses=gives(UsageOut))
async def report_usage(body: UsageIn, write: ServerWrite) -> Response:
    """Tell how much of a METER feature a customer used.

    `SET` replaces the usage of the present period, `DELTA` adds to it; a negative one corrects, and
    usage never falls below 0. A report is never refused for a limit: what was used was used. The
    same DELTA again counts again, unless an Idempotency-Key says that it is the same.
    """
    command = ReportUsage(
        report_id=write.id("usage"),
        customer_id=body.customer_id,
        feature=body.feature_id,
        behaviour=body.behaviour,
        value=body.value,
        resource_id=body.resource_id,
    )
    return await write(command, _reported(body))


def _reported(body: UsageIn) -> Answer:
    async def answer(done: Done) -> Response:
        fact = next(fact for fact in done.facts if isinstance(fact, UsageReported))
        shown = usage_out(body, done.tenant.organization, fact.report_id, fact.occurred_at)
        return Response(msgspec.json.encode(shown), media_type="application/json")

    return answer


@router.post("/event/", responses=gives(EventOut))
async def report_event(body: EventIn, write: ServerWrite) -> Response:
    """Tell that something happened; features of `RAW_EVENTS` count it.

    Counted at most once per `idempotencyKey`: the second time the answer is the same and nothing
    changes. What happened before the present period of a subscription does not count there.
    """
    command = ReportEvent(
        customer_id=body.customer_id,
        name=body.event_name,
        idempotency_key=body.idempotency_key,
        happened_at=body.timestamp,
        resource_id=body.resource_id,
        properties=body.properties,
    )
    return await write(command, _happened(body))


def _happened(body: EventIn) -> Answer:
    async def answer(done: Done) -> Response:
        shown = event_out(body, done.tenant.organization)
        return Response(msgspec.json.encode(shown), media_type="application/json")

    return answer
