"""The log as a witness: what everybody has to hear."""

import json
from uuid import uuid4

from psycopg import OperationalError

from adapters.owner_log import PostgresOwnerLog
from projections.webhooks.events import EventMaker
from projections.webhooks.replays import Replay
from subscribers.webhooks.history import History


class Witness:
    """What the log says everybody has to hear: bodies by id in order, and each one's customer."""

    def __init__(self, engine, tenant, base_url):
        self.expected, self.owners = {}, {}
        self._engine, self._tenant, self._base_url = engine, tenant, base_url
        self._read = 0

    def count(self, kind):
        return sum(json.loads(body)["type"] == kind for body in self.expected.values())

    async def look(self):
        """Fold the whole log again if it has grown; whether that was possible."""
        store = self._engine.store
        try:
            head = await store.head()
        except OperationalError:  # a connection that is older than the server
            return False
        if head == self._read:
            return True
        maker = EventMaker(self._engine.tenants.get, self._base_url)
        async with store.pool.connection() as db:
            await maker.begin(db)
        everything = Replay(
            id=uuid4(),
            organization=self._tenant.organization,
            endpoint=uuid4(),
            begin=None,
            end=None,
            first=1,
            last=head,
            kinds=frozenset({"*"}),
        )
        history, done = History(PostgresOwnerLog(store), maker, everything), 0
        while done < head:
            done, made = await history.step(done)
            for event in made:
                self.expected[str(event.id)] = event.payload
                self.owners[str(event.id)] = event.owner
        self._read = head
        return True
