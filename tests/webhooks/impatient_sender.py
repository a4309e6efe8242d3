"""`worker deliver_webhooks` as a process of its own that waits for seconds, not for minutes."""

import asyncio
import os
import sys
from datetime import timedelta

from app import settings
from app.serve import place_of
from app.wiring import Engine
from subscribers.deliver_webhooks import NAME
from tests.webhooks.deliveries import impatient


AGAIN = (timedelta(milliseconds=500),) * 1_000
HOLD = timedelta(seconds=6)
LAST_CALL = timedelta(seconds=3)


async def main():
    chosen = settings.read()
    engine = await Engine.open(place_of(chosen, chosen.database_url))
    impatient(engine, *AGAIN, hold=HOLD, last_call=LAST_CALL)
    engine.start_workers(NAME)
    sys.stdout.write("ready \n")
    sys.stdout.flush()
    orphaned = asyncio.create_task(parent_is_gone())
    await asyncio.wait([orphaned, *engine.tasks], return_when=asyncio.FIRST_COMPLETED)


async def parent_is_gone():
    """Senders outlive their database; none may outlive the test."""
    parent = os.getppid()
    while os.getppid() == parent:  # noqa: ASYNC110 nothing tells of it
        await asyncio.sleep(1)


if __name__ == "__main__":
    asyncio.run(main())
