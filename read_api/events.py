"""The event stream over HTTP: pages, NDJSON and Server-Sent Events (design 10).

A page is one short query, and nothing is held between two: who stops reading costs nothing.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Header, Query, Request, Response
from starlette.responses import StreamingResponse
from typing_extensions import TypedDict

from kernel.errors import InvalidFields
from kernel.ports.fact_stream import Selection, Stretch
from read_api.fact_types import Wanted
from read_api.feed import Feed
from wire.cloud_event import CloudEventOut, cloud_event


router = APIRouter(prefix="/events", tags=["Events"])
NDJSON = "application/x-ndjson"
SSE = "text/event-stream"
STRETCH = 200
"""So many facts are read for each step of a stream."""

KEEP_ALIVE_SECONDS = 15.0
RETRY_MILLISECONDS = 1_000

After = Annotated[
    str,
    Query(
        pattern="^([0-9]{1,18}|now)$",
        description="A position: what lies beyond it is given. `now`: only what is still to come.",
    ),
]
Limit = Annotated[int, Query(ge=1, le=1_000, description="Events a page.")]


class EventsOut(TypedDict):
    """One page of the stream; go on with ``after`` = ``position``, also when it is empty."""

    events: list[CloudEventOut]
    position: int
    next: str | None


LISTED: dict[int | str, dict[str, Any]] = {
    200: {
        "model": EventsOut,
        "content": {NDJSON: {"schema": {"type": "string", "description": "An event a line"}}},
    }
}
STREAMED: dict[int | str, dict[str, Any]] = {
    200: {"description": "Events as they happen", "content": {SSE: {"schema": {"type": "string"}}}}
}


@router.get("/", responses=LISTED)
async def listed(
    request: Request, only: Wanted, after: After = "0", limit: Limit = 100
) -> Response:
    """A page of events, oldest first; `next` while there is more.

    With `Accept: application/x-ndjson` all of them up to now, one a line, without a limit.
    """
    feed: Feed = request.app.state.feed
    start = await _start(feed, after)
    if NDJSON in request.headers.get("accept", ""):
        return StreamingResponse(_lines(feed, start, only), media_type=NDJSON)
    return _page(request, feed.source, await feed.stream.read(start, limit, only))


@router.get("/stream/", responses=STREAMED, response_class=Response)
async def streamed(
    request: Request,
    only: Wanted,
    after: After = "0",
    last_event_id: Annotated[
        str | None, Header(description="Where an interrupted stream goes on.")
    ] = None,
) -> Response:
    """Server-Sent Events: everything beyond a position, then what happens.

    The id of each message is its position; a client that reconnects with `Last-Event-ID` misses
    nothing and gets nothing twice.
    """
    feed: Feed = request.app.state.feed
    start = await _start(feed, last_event_id or after)
    return StreamingResponse(
        _messages(feed, start, only),
        media_type=SSE,
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _start(feed: Feed, after: str) -> int:
    if after == "now":
        return await feed.stream.head()
    if not (after.isascii() and after.isdigit()) or len(after) > 18:
        raise InvalidFields({"Last-Event-ID": ["A position is a whole number."]})
    return int(after)


def _page(request: Request, source: str, found: Stretch) -> Response:
    following = str(request.url.include_query_params(after=found.until)) if found.more else None
    tail = msgspec.json.encode({"position": found.until, "next": following})
    events = b",".join(cloud_event(fact, source) for fact in found.facts)
    return Response(b'{"events":[%b],%b' % (events, tail[1:]), media_type="application/json")


async def _lines(feed: Feed, after: int, only: Selection) -> AsyncIterator[bytes]:
    while True:
        found = await feed.stream.read(after, STRETCH, only)
        if found.facts:
            yield b"".join(cloud_event(fact, feed.source) + b"\n" for fact in found.facts)
        if not found.more:
            return
        after = found.until


async def _messages(feed: Feed, after: int, only: Selection) -> AsyncIterator[bytes]:
    """What happens, as messages; a message without data moves a narrow reader's position on."""
    yield b"retry: %d\n\n" % RETRY_MILLISECONDS
    told = after
    while not feed.following.stopped.is_set():
        found = await feed.stream.read(after, STRETCH, only)
        after = found.until
        if found.facts:
            told = found.facts[-1].position
            yield b"".join(
                b"id: %d\ndata: %b\n\n" % (fact.position, cloud_event(fact, feed.source))
                for fact in found.facts
            )
        if not found.more and not await feed.following.beyond(after, KEEP_ALIVE_SECONDS):
            yield b": still here\n\n" if told == after else b"id: %d\n\n" % after
            told = after
