"""The apps HTTP paths are compared with: `python -m app.bench.references NAME URL`."""

from __future__ import annotations

import asyncio
import socket
import sys
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import uvicorn
import uvloop
from fastapi import FastAPI, Response
from psycopg_pool import AsyncConnectionPool
from pydantic import BaseModel
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import ASGIApp

from adapters.event_store import PostgresEventStore
from aggregates.catalog import FACTS, UPCASTS
from aggregates.customer.events import CustomerCreated
from kernel.ports.event_store import Append, NewFact


MASTER_KEY = bytes(32)


class _Body(BaseModel):
    customerId: str  # noqa: N815 - the shape that the measured path takes
    name: str
    email: str


async def append_app(url: str) -> ASGIApp:
    """FastAPI that validates a body, and one group-committed append."""
    store = await PostgresEventStore.open(url, FACTS, UPCASTS, MASTER_KEY)
    app = FastAPI()

    @app.post("/append/")
    async def append(body: _Body) -> dict[str, str]:
        stream = uuid4()
        fact = CustomerCreated(customer_id=body.customerId, occurred_at=datetime.now(UTC))
        command = Append(
            organization=UUID(int=1),
            command_id=uuid4(),
            correlation_id=uuid4(),
            actor="reference",
            facts=(NewFact(stream, 0, stream, fact),),
        )
        await store.append(command)
        return {"id": str(stream)}

    return app


async def query_app(url: str) -> ASGIApp:
    """FastAPI and one query per request."""
    pool: AsyncConnectionPool[Any] = AsyncConnectionPool(
        url, kwargs={"autocommit": True, "prepare_threshold": 0}, min_size=8, open=False
    )
    await pool.open(wait=True)
    app = FastAPI()

    @app.get("/row/{key}/")
    async def row(key: int) -> Response:
        async with pool.connection() as db:
            found = await db.execute("SELECT convert_to(%s::text, 'UTF8')", (key,))
            only = await found.fetchone()
        return Response(only[0] if only else b"", media_type="application/json")

    return app


async def plain_app(url: str) -> ASGIApp:
    """A plain Starlette route with a constant answer."""
    del url

    async def constant(request: Request) -> Response:
        del request
        return Response(b'{"answer":42}', media_type="application/json")

    return Starlette(routes=[Route("/constant/", constant)])


APPS = {"append": append_app, "query": query_app, "plain": plain_app}


async def serve(name: str, url: str) -> None:
    """Say where, then serve until stopped."""
    app = await APPS[name](url)
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(app, log_level="warning", access_log=False, http="httptools")
    port = listening.getsockname()[1]
    sys.stdout.write(f"ready http://127.0.0.1:{port}\n")
    sys.stdout.flush()
    await asyncio.create_task(uvicorn.Server(config).serve([listening]))


if __name__ == "__main__":
    uvloop.run(serve(*sys.argv[1:3]))
