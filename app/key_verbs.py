"""What the verbs about API keys do with an engine."""

from __future__ import annotations

import asyncio
import contextlib
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from adapters.cannot_start import CannotStart
from app.operations import by_operator, existing
from app.wiring import Engine
from commands.api_keys.change_key import ChangeKey
from commands.api_keys.revoke_key import RevokeKey
from kernel.errors import Refused
from projections.api_keys import API_KEYS
from projections.poller import Poller
from projections.reader import Wanted


CATCHING_UP_SECONDS = 30.0
MOST_KEYS = 10_000


async def listed(engine: Engine, slug: str) -> list[str]:
    """A line for each key of the organization, newest first. Raises CannotStart."""
    tenant = await existing(engine, slug)
    await caught_up(engine)
    wanted = Wanted(page=1, page_size=MOST_KEYS, buckets={"revoked": ["false"]})
    found = await engine.reader.page(API_KEYS, tenant, wanted)
    return [_line(msgspec.json.decode(body)) for body in found.bodies]


async def expire(engine: Engine, slug: str, key_id: UUID, until: datetime | None) -> None:
    """Let a key end at another time. Raises CannotStart."""
    await _act(engine, slug, ChangeKey(key_id=key_id, changes={"expires_at": until}))


async def revoke(engine: Engine, slug: str, key_id: UUID) -> None:
    """End a key for good. Raises CannotStart."""
    await _act(engine, slug, RevokeKey(key_id=key_id))


async def caught_up(engine: Engine) -> None:
    """Wait until the views are at the head; keep them meanwhile if nobody else does."""
    engine.start_workers("views")
    polling = asyncio.create_task(Poller(engine.pool, engine.positions).run())
    head = await engine.store.head()
    there = await engine.positions.wait(head, CATCHING_UP_SECONDS)
    polling.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await polling
    if not there:
        raise CannotStart("the views are still being built; try again in a moment")


async def _act(engine: Engine, slug: str, command: Any) -> None:
    tenant = await existing(engine, slug)
    try:
        await engine.bus.dispatch(command, by_operator(tenant))
    except Refused as refusal:
        raise CannotStart(refusal.message) from refusal


def _line(key: dict[str, Any]) -> str:
    end = key["expiresAt"] or "never expires"
    return f"{key['id']}  {key['kind']:6}  ...{key['hint']}  {end:20}  {key['name']}".rstrip()
