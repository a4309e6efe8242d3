"""A process that appends; it prints the command id of each command that was confirmed."""

import asyncio
import sys
from uuid import uuid4

from adapters.event_store import PostgresEventStore
from tests.log_facts import FACTS, MASTER_KEY, UPCASTS, command, new, ticked


async def write(url: str, writers: int, commands: int) -> None:
    """Each writer sends this many commands of one or two facts in new streams."""
    store = await PostgresEventStore.open(url, FACTS, UPCASTS, MASTER_KEY)

    async def writer() -> None:
        for i in range(commands):
            facts = new(uuid4(), 0, *(ticked(i) for _ in range(1 + i % 2)))
            sent = command(*facts)
            await store.append(sent)
            sys.stdout.write(f"{sent.command_id} {len(facts)}\n")
            sys.stdout.flush()

    await asyncio.gather(*(writer() for _ in range(writers)))
    await store.close()


if __name__ == "__main__":
    asyncio.run(write(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
