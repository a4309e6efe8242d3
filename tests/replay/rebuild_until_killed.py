"""A rebuild that stops after its first saved stretch and waits to be killed."""

import asyncio
import sys

from adapters.event_store import PostgresEventStore
from aggregates.catalog import FACTS, UPCASTS
from app.wiring import with_views
from projections.all_views import VIEWS
from replay import fold
from replay.rebuild import rebuild
from replay.shadow import Shadow
from tests.engines import MASTER_KEY


fold.PAGE = fold.FACTS_PER_TRANSACTION = 50
save = Shadow.save


async def save_and_wait(self: Shadow, changes: object, position: int) -> None:
    """Save one stretch, say so, and go no further."""
    await save(self, changes, position)
    sys.stdout.write("saved\n")
    sys.stdout.flush()
    await asyncio.Event().wait()


async def main(url: str) -> None:
    """Rebuild all views of a database."""
    store = await PostgresEventStore.open(url, FACTS, UPCASTS, MASTER_KEY)
    await rebuild(with_views(url), store, VIEWS, None, lambda *_: None)


if __name__ == "__main__":
    Shadow.save = save_and_wait
    asyncio.run(main(sys.argv[1]))
