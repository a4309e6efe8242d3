"""However the log is cut, and wherever the process dies between batches, the rows are the same."""

import asyncio
from functools import cache

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from projections import counters
from projections.all_views import VIEWS
from projections.engine import Pass
from projections.store import row
from tests.billing_facts import Histories, a_whole_life
from tests.memory_store import MemoryStore


class Rows:
    """What a database would hold after each batch: documents as JSON, rows and counts."""

    def __init__(self):
        self.documents, self.rows, self.counts = {}, {}, counters.Counter()

    def project(self, running, batch):
        for name, keys in running.missing(batch).items():
            for key in keys:
                stored = self.documents.get((name, key))
                known = None if stored is None else msgspec.json.decode(stored)
                running.documents.learn(running.tables[name], key, known)
        running.apply(batch)
        for name, changed in running.documents.changes().items():
            table = running.tables[name]
            counters.add_deltas(self.counts, table, changed)
            for key, (_, new) in changed.items():
                self._put(table, key, new)
        running.documents.flushed()

    def _put(self, table, key, doc):
        if doc is None:
            self.documents.pop((table.name, key), None)
            self.rows.pop((table.name, key), None)
            return
        self.documents[table.name, key] = msgspec.json.encode(doc)
        self.rows[table.name, key] = row(table, key, doc)

    @property
    def result(self):
        return self.rows, {cell: n for cell, n in self.counts.items() if n}


@cache
def two_lives():
    """The commands of two customers, each in its own order."""
    lives = []
    for name in ("ada", "bob"):
        histories = Histories()
        a_whole_life(histories, name)
        lives.append(histories.commands)
    return lives


def log_of(turns):
    """The two lives, interleaved by turns."""
    left = [list(life) for life in two_lives()]
    histories = Histories()
    for turn in turns:
        histories.commands.append(left[turn].pop(0) if left[turn] else left[1 - turn].pop(0))
    store = MemoryStore()
    asyncio.run(histories.append_to(store))
    return store.log


COMMANDS = sum(map(len, two_lives()))
TURNS = st.integers(0, 2**COMMANDS - 1).map(lambda bits: [bits >> n & 1 for n in range(COMMANDS)])


@settings(max_examples=40, deadline=None)
@given(TURNS, st.data())
def test_rows_do_not_depend_on_batches(turns, data):
    log = log_of(turns)
    whole = Rows()
    whole.project(Pass(VIEWS), log)
    pieces, running, start = Rows(), Pass(VIEWS), 0
    while start < len(log):
        size = data.draw(st.integers(1, 12))
        if data.draw(st.booleans()):
            running = Pass(VIEWS)
        pieces.project(running, log[start : start + size])
        start += size
    assert pieces.result == whole.result
