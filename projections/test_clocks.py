"""The test clocks view: where each clock stands, and whether it moves (design 6)."""

from __future__ import annotations

from aggregates.test_clock.events import (
    TestClockAdvanceFinished,
    TestClockAdvanceStarted,
    TestClockCleared,
    TestClockCreated,
    TestClockDeleted,
)
from kernel.ports.event_store import Recorded
from projections.documents import Documents
from projections.table import Column, Doc, Table
from projections.view import View
from wire.test_clock import test_clock_out
from wire.times import instant


TEST_CLOCKS = Table(
    name="test_clocks",
    columns=(
        Column("frozen_time", "timestamptz"),
        Column("target_time", "timestamptz"),
        Column("deleted", "boolean"),
        Column("cleared", "boolean"),
    ),
    buckets=("deleted",),
    visible="NOT t.deleted",
    render=test_clock_out,
)

ARRIVED = "SELECT FROM test_clocks WHERE id = %s AND target_time IS NULL AND frozen_time >= %s"
"""Whether a clock has got to an instant, and all that was due by then is visible."""

CLEARED = "SELECT FROM test_clocks WHERE id = %s AND cleared"
"""Whether all that lived on a deleted clock has ended, visibly."""

view = View("test_clocks", TEST_CLOCKS)


@view.on(TestClockCreated)
def created(docs: Documents, recorded: Recorded, fact: TestClockCreated) -> None:
    """A new row."""
    doc: Doc = {
        "id": str(recorded.stream),
        "organization": str(recorded.organization),
        "created": recorded.position,
        "name": fact.name,
        "frozen_time": instant(fact.frozen_time),
        "target_time": None,
        "deleted": False,
        "cleared": False,
        "created_on": instant(fact.occurred_at),
        "modified_on": instant(fact.occurred_at),
    }
    docs.put(TEST_CLOCKS, recorded.stream, doc)


@view.on(TestClockAdvanceStarted)
def advance_started(docs: Documents, recorded: Recorded, fact: TestClockAdvanceStarted) -> None:
    """It moves; it shows where it stood until it has arrived."""
    _change(docs, recorded, target_time=instant(fact.target))


@view.on(TestClockAdvanceFinished)
def advance_finished(docs: Documents, recorded: Recorded, fact: TestClockAdvanceFinished) -> None:
    """It arrived."""
    _change(docs, recorded, target_time=None, frozen_time=instant(fact.frozen_time))


@view.on(TestClockDeleted)
def deleted(docs: Documents, recorded: Recorded, fact: TestClockDeleted) -> None:
    """Out of the lists."""
    del fact
    _change(docs, recorded, deleted=True)


@view.on(TestClockCleared)
def cleared(docs: Documents, recorded: Recorded, fact: TestClockCleared) -> None:
    """All that lived on it has ended."""
    del fact
    _change(docs, recorded, cleared=True)


def _change(docs: Documents, recorded: Recorded, **changes: object) -> None:
    doc = docs.get(TEST_CLOCKS, recorded.stream)
    if doc is None:
        raise LookupError(f"test clock {recorded.stream} is not in the view")
    at = instant(recorded.fact.occurred_at)
    docs.put(TEST_CLOCKS, recorded.stream, {**doc, **changes, "modified_on": at})
